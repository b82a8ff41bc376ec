package dev.acklast.servers;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * A client of a real server whose calls fail on demand as those to the service do, and to an
 * emulator do not: for want of permission, throttled, over a limit. Also counts calls. Thread-safe.
 */
public final class SqsFaults {
  private final SqsClient real;
  private final SqsClient client;
  private final Map<String, Fault> faults = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

  /** What happens in the place of a call. */
  @FunctionalInterface
  public interface Fault {
    /**
     * Answers, or throws as the SDK does.
     *
     * @param request the argument of the client's method
     * @param call makes the call as it was meant
     * @return what the client's method returns
     */
    @Nullable Object instead(Object request, Supplier<Object> call);
  }

  /** Faults in front of a client, which the caller closes. */
  public SqsFaults(SqsClient real) {
    this.real = real;
    InvocationHandler handler = (proxy, method, arguments) -> invoke(method, arguments);
    this.client =
        (SqsClient)
            Proxy.newProxyInstance(
                SqsFaults.class.getClassLoader(), new Class<?>[] {SqsClient.class}, handler);
  }

  /** The client that fails. */
  public SqsClient client() {
    return client;
  }

  /** From now on, this happens in the place of a method: {@code sendMessage}, say. */
  public void at(String method, Fault fault) {
    faults.put(method, fault);
  }

  /** From now on, a method is refused with an error's code, such as {@code AccessDenied}. */
  public void refuse(String method, String code, int status) {
    at(
        method,
        (request, call) -> {
          throw SqsException.builder()
              .awsErrorDetails(
                  AwsErrorDetails.builder().errorCode(code).errorMessage("refused").build())
              .statusCode(status)
              .build();
        });
  }

  /** Ends the fault of a method. */
  public void mend(String method) {
    faults.remove(method);
  }

  /** What {@code changeMessageVisibilityBatch} was given, built if it was still to be built. */
  @SuppressWarnings("unchecked") // the client's interface says so
  public static ChangeMessageVisibilityBatchRequest batch(Object request) {
    return request instanceof ChangeMessageVisibilityBatchRequest built
        ? built
        : ChangeMessageVisibilityBatchRequest.builder()
            .applyMutation((Consumer<ChangeMessageVisibilityBatchRequest.Builder>) request)
            .build();
  }

  /** How often a method was called. */
  public int calls(String method) {
    AtomicInteger count = calls.get(method);
    return count == null ? 0 : count.get();
  }

  private @Nullable Object invoke(Method method, Object @Nullable [] arguments) throws Throwable {
    calls.computeIfAbsent(method.getName(), name -> new AtomicInteger()).incrementAndGet();
    Fault fault = faults.get(method.getName());
    if (fault == null || arguments == null) {
      return real(method, arguments);
    }
    return fault.instead(
        arguments[0],
        () -> {
          try {
            return real(method, arguments);
          } catch (RuntimeException e) {
            throw e;
          } catch (Throwable e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private Object real(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
