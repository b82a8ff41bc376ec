package dev.acklast.testkit.contract;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract of adapters: a subclass binds it to one kind of broker and runs in any JUnit engine.
 * Its cases carry their section as a tag ({@code delivery}, {@code settling}, {@code counting},
 * {@code claims}, {@code life}), and those that come from a public report its id in Acklast's
 * collection ({@code A03}).
 *
 * <p>With the system property {@code acklast.contract.record} naming a folder, what became of each
 * case is written there, a file for each kind of broker.
 */
@ExtendWith(ContractRecord.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class AdapterContract
    implements DeliveryContract,
        SettlingContract,
        RetryContract,
        DeadLetterContract,
        CountingContract,
        ClaimsContract,
        CommitContract,
        LifeContract,
        OutageContract,
        DrainContract,
        ProcessDeathContract {
  private @Nullable Scene scene;

  /** The broker under test; the same one may serve all cases. */
  protected abstract BrokerHarness broker();

  /** The PostgreSQL server; the same one may serve all cases. */
  protected abstract DatabaseHarness databases();

  @BeforeEach
  void setScene() {
    scene = new Scene(broker(), databases());
  }

  @AfterEach
  void clearScene() throws Exception {
    if (scene != null) {
      scene.close();
    }
  }

  /** For the sections. */
  @Override
  public final Scene scene() {
    if (scene == null) {
      throw new IllegalStateException("there is a scene only while a case runs");
    }
    return scene;
  }
}
