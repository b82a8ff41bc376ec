package dev.acklast.chaos;

import java.util.List;

/** What an audit may ask a broker. */
interface BrokerView {
  /** All dead letters; they stay where they are. */
  List<Letter> letters() throws Exception;

  /** What is left of the messages. */
  Residue residue() throws Exception;
}
