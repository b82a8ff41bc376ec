package dev.acklast.spring;

import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** An application's wiring; Spring Boot makes the same from properties. */
@Configuration
@EnableTransactionManagement(proxyTargetClass = true)
class ShopConfiguration {
  @Bean
  LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
    var factory = new LocalContainerEntityManagerFactoryBean();
    factory.setDataSource(dataSource);
    factory.setManagedTypes(
        org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes.of(
            Commission.class.getName()));
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "none"));
    return factory;
  }

  @Bean
  JpaTransactionManager transactionManager(
      EntityManagerFactory entityManagerFactory, DataSource dataSource) {
    var manager = new JpaTransactionManager(entityManagerFactory);
    manager.setDataSource(dataSource);
    return manager;
  }

  @Bean
  SpringTransactions transactions(JpaTransactionManager manager) {
    return new SpringTransactions(manager);
  }

  @Bean
  Commissions commissions() {
    return new Commissions();
  }
}
