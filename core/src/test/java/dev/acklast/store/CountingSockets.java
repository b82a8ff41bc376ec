package dev.acklast.store;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/** Counts how often the driver goes over from writing to reading: its round trips. */
public final class CountingSockets extends SocketFactory {
  private static final AtomicInteger ROUND_TRIPS = new AtomicInteger();
  private static final AtomicBoolean WRITTEN = new AtomicBoolean();

  static void reset() {
    ROUND_TRIPS.set(0);
  }

  static int roundTrips() {
    return ROUND_TRIPS.get();
  }

  @Override
  public Socket createSocket() {
    return new CountingSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new Socket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return new Socket(host, port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return new Socket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return new Socket(host, port, local, localPort);
  }

  private static final class CountingSocket extends Socket {
    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          WRITTEN.set(true);
          out.write(bytes, offset, length);
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      InputStream in = super.getInputStream();
      return new InputStream() {
        @Override
        public int read() throws IOException {
          count();
          return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          count();
          return in.read(bytes, offset, length);
        }

        @Override
        public int available() throws IOException {
          return in.available();
        }
      };
    }

    private static void count() {
      if (WRITTEN.getAndSet(false)) {
        ROUND_TRIPS.incrementAndGet();
      }
    }
  }
}
