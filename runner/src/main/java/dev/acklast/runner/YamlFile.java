package dev.acklast.runner;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * A YAML file's nodes with their places. Scalars are taken as they are written: no text turns into
 * a number, a date or a boolean by looking like one.
 */
record YamlFile(Path path, Variables variables) {
  /** The outermost value. */
  Value read() {
    try {
      String text = Files.readString(path, StandardCharsets.UTF_8);
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
      if (root == null) {
        throw new ConfigException(path + ": the file is empty");
      }
      return new Value(this, "", root);
    } catch (NoSuchFileException e) {
      throw new ConfigException(path + ": there is no such file");
    } catch (CharacterCodingException e) {
      throw new ConfigException(path + ": the file is not valid UTF-8");
    } catch (IOException e) {
      throw new ConfigException(
          path + ": the file cannot be read: " + e.getClass().getSimpleName());
    } catch (MarkedYAMLException e) {
      // Not its message: that quotes the file, and there may be a password in the line.
      throw new ConfigException(
          at(e.getProblemMark()) + "this is not valid YAML: " + e.getProblem());
    } catch (YAMLException e) {
      throw new ConfigException(path + ": this is not valid YAML");
    }
  }

  /** A place as compilers write it: {@code sales.yaml:12:5: }. */
  String at(@Nullable Mark mark) {
    return mark == null
        ? path + ": "
        : path + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + ": ";
  }
}
