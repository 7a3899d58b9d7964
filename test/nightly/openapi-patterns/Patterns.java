import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads a line of patterns and a line of samples, each a space-separated list in base64. For each pattern, prints a line with 1 for
 * each sample that it accepts and 0 for each sample that it rejects.
 */
class Patterns {
  public static void main(String[] arguments) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var patterns = decode(input.readLine());
    var samples = decode(input.readLine());
    for (var pattern : patterns) {
      var compiled = Pattern.compile(pattern);
      var verdicts = new StringBuilder();
      for (var sample : samples) verdicts.append(compiled.matcher(sample).find() ? '1' : '0');
      System.out.println(verdicts);
    }
  }

  private static List<String> decode(String line) {
    var decoder = Base64.getDecoder();
    return List.of(line.split(" ", -1)).stream().map(text -> new String(decoder.decode(text), StandardCharsets.UTF_8)).toList();
  }
}
