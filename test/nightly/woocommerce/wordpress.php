<?php
/**
 * Simulates WordPress: the functions that the plugin calls, and requests, which all run this file. State is stored in files, so that requests run in
 * parallel.
 *
 * Read for it: WordPress 6.5 (`wp-includes/l10n.php`, `wp-includes/http.php`, `wp-includes/class-wpdb.php`).
 */

declare(strict_types=1);

// A warning of the plugin fails its test.
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    return error_reporting() & $level ? throw new ErrorException($message, 0, $level, $file, $line) : true;
});

define('ABSPATH', __DIR__ . '/');
define('DB_NAME', 'wordpress');
define('MINUTE_IN_SECONDS', 60);
$config = json_decode(file_get_contents(__DIR__ . '/config.json'), true);
['url' => $shop_url, 'constants' => $constants] = $config;
foreach ($constants as $name => $value) {
    define($name, $value);
}
// Code of wp-config.php.
eval($config['wpConfig'] ?? '');

/** Reads a stored value. */
function stored(string $name, mixed $default = []): mixed
{
    $file = __DIR__ . "/state/$name.json";
    return is_file($file) ? json_decode(file_get_contents($file), true) : $default;
}

/** Replaces a stored value by what `$change` returns for it, without interruption. */
function change_stored(string $name, callable $change, mixed $default = []): mixed
{
    $lock = fopen(__DIR__ . '/state/.lock', 'c');
    flock($lock, LOCK_EX);
    $value = $change(stored($name, $default));
    $file = __DIR__ . "/state/$name.json";
    file_put_contents("$file.new", json_encode($value, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR));
    rename("$file.new", $file);
    fclose($lock);
    return $value;
}

// WordPress defines this one if the extension is missing.
if (!function_exists('mb_substr')) {
    function mb_substr(string $text, int $start, int $length): string
    {
        return implode('', array_slice(preg_split('//u', $text, -1, PREG_SPLIT_NO_EMPTY), $start, $length));
    }
}

/* Hooks. */

$hooks = [];
function add_action(string $name, callable $callback, int $priority = 10, int $accepted_args = 1): void
{
    $GLOBALS['hooks'][$name][$priority][] = [$callback, $accepted_args];
}
function add_filter(string $name, callable $callback, int $priority = 10, int $accepted_args = 1): void
{
    add_action($name, $callback, $priority, $accepted_args);
}
function hooked(string $name): array
{
    $callbacks = $GLOBALS['hooks'][$name] ?? [];
    ksort($callbacks);
    return array_merge(...$callbacks);
}
function do_action(string $name, mixed ...$arguments): void
{
    foreach (hooked($name) as [$callback, $accepted_args]) {
        $callback(...array_slice($arguments, 0, $accepted_args));
    }
}
function apply_filters(string $name, mixed $value, mixed ...$arguments): mixed
{
    foreach (hooked($name) as [$callback, $accepted_args]) {
        $value = $callback(...array_slice([$value, ...$arguments], 0, $accepted_args));
    }
    return $value;
}

/* Translations. WordPress 6.5 loads `.l10n.php` in place of the `.mo` file. */

$messages = [];
function determine_locale(): string
{
    return $GLOBALS['config']['locale'] ?? 'en_US';
}
function load_textdomain(string $domain, string $mo_file): bool
{
    $file = substr_replace($mo_file, '.l10n.php', -strlen('.mo'));
    if (!is_file($file)) {
        return false;
    }
    $GLOBALS['messages'] = (include $file)['messages'];
    return true;
}
function __(string $text, string $domain): string
{
    if ($domain === 'fairterm') {
        change_stored('texts', fn (array $texts): array => array_values(array_unique([...$texts, $text])));
    }
    return $GLOBALS['messages'][$text] ?? $text;
}
function esc_html__(string $text, string $domain): string
{
    return esc_html(__($text, $domain));
}

/* Escaping and requests. */

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}
function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}
function esc_url(string $url): string
{
    return preg_match('/^(https?:|\/)/', $url) ? htmlspecialchars($url, ENT_QUOTES) : '';
}
function wp_unslash(string $text): string
{
    return stripslashes($text);
}
function absint(mixed $value): int
{
    return abs((int) $value);
}
function wp_json_encode(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR);
}
function wp_generate_uuid4(): string
{
    return preg_replace('/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/', '$1-$2-4$3-a$4-$5', bin2hex(random_bytes(16)));
}
function get_query_var(string $name): string
{
    return $_GET[$name] ?? '';
}
function get_queried_object_id(): int
{
    return 1;
}
function status_header(int $status): void
{
    http_response_code($status);
}
function wp_safe_redirect(string $url): void
{
    header("Location: $url", true, 302);
}
function plugins_url(string $name, string $plugin): string
{
    return $GLOBALS['shop_url'] . '/wp-content/plugins/' . basename(dirname($plugin)) . "/$name";
}
function get_option(string $name, mixed $default = false): mixed
{
    return stored('options')[$name] ?? $default;
}
function update_option(string $name, mixed $value): bool
{
    change_stored('options', fn (array $options): array => [$name => $value] + $options);
    return true;
}
function clean_post_cache(int $id): void
{
    unset($GLOBALS['cached_orders'][$id]);
}

/* Scripts. */

$head = '';
$registered = [];
function wp_enqueue_style(string $handle, string $src, array $dependencies, ?string $version): void
{
    $GLOBALS['head'] .= '<link rel="stylesheet" href="' . esc_url($src) . '">';
}
function wp_enqueue_script_module(string $id, string $src, array $dependencies, ?string $version): void
{
    $GLOBALS['head'] .= '<script type="module" src="' . esc_url($src) . '"></script>';
}
function wp_enqueue_script(string $handle, string $src, array $dependencies, string $version, bool $in_footer): void
{
    $GLOBALS['head'] .= '<script defer src="' . esc_url($src) . '"></script>';
}
function wp_register_script(string $handle, string $src, array $dependencies, string $version, bool $in_footer): void
{
    $GLOBALS['registered'][$handle] = ['src' => $src, 'dependencies' => $dependencies];
}

/* HTTP. */

final class WP_Error
{
    public function __construct(private string $code, private string $message)
    {
    }
    public function get_error_message(): string
    {
        return $this->message;
    }
}
function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}
function wp_remote_request(string $url, array $arguments): array|WP_Error
{
    $headers = array_map(fn (string $name, string $value): string => "$name: $value", array_keys($arguments['headers']), $arguments['headers']);
    $http = ['method' => $arguments['method'], 'header' => $headers, 'content' => $arguments['body'] ?? '', 'ignore_errors' => true,
        'timeout' => $arguments['timeout'], 'follow_location' => $arguments['redirection'] > 0 ? 1 : 0];
    $body = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    if ($body === false) {
        return new WP_Error('http_request_failed', 'No response');
    }
    return ['status' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body];
}
function wp_remote_retrieve_response_code(array $response): int
{
    return $response['status'];
}
function wp_remote_retrieve_body(array $response): string
{
    return $response['body'];
}

/** Simulates the locks of MySQL, which a connection can have more than once. */
final class wpdb
{
    public string $prefix = 'wp_';
    /** @var array<string, array{resource, int}> */
    private array $locks = [];
    public function prepare(string $query, mixed ...$values): string
    {
        return vsprintf(str_replace('%s', "'%s'", $query), $values);
    }
    public function get_var(string $query): ?string
    {
        preg_match("/^SELECT GET_LOCK\('([^']{1,64})', (\d+)\)$/", $query, $matches) || throw new LogicException("Unknown query: $query");
        [, $name, $seconds] = $matches;
        $handle = $this->locks[$name][0] ?? fopen(__DIR__ . '/state/' . $name . '.lock', 'c');
        $deadline = microtime(true) + (int) $seconds;
        while (!isset($this->locks[$name]) && !flock($handle, LOCK_EX | LOCK_NB)) {
            if (microtime(true) > $deadline) {
                return '0';
            }
            change_stored('waiting', fn (): bool => true, false);
            usleep(5_000);
        }
        $this->locks[$name] = [$handle, ($this->locks[$name][1] ?? 0) + 1];
        return '1';
    }
    public function query(string $query): int
    {
        preg_match("/^SELECT RELEASE_LOCK\('([^']+)'\)$/", $query, $matches) || throw new LogicException("Unknown query: $query");
        if (--$this->locks[$matches[1]][1] === 0) {
            fclose($this->locks[$matches[1]][0]);
            unset($this->locks[$matches[1]]);
        }
        return 1;
    }
}
$wpdb = new wpdb();

require __DIR__ . '/scheduler.php';
require __DIR__ . '/woocommerce.php';
require __DIR__ . '/plugins/fairterm/fairterm.php';
// Code of the theme's functions.php.
eval($config['theme'] ?? '');
do_action('plugins_loaded');
do_action('before_woocommerce_init');
do_action('init');
require __DIR__ . '/pages.php';
