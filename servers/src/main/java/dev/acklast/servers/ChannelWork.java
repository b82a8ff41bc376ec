package dev.acklast.servers;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * What is to be done on a channel.
 *
 * @param <R> what comes of it
 */
@FunctionalInterface
public interface ChannelWork<R> {
  /** Does it; the channel is closed afterwards. */
  R on(Channel channel) throws IOException, TimeoutException, InterruptedException;
}
