<?php
/**
 * Simulates the functions of WordPress and WooCommerce that the plugin calls. Every request to the shop runs this file; orders are
 * stored in a file.
 */

declare(strict_types=1);

define('ABSPATH', __DIR__ . '/');
define('MINUTE_IN_SECONDS', 60);
['url' => $shop_url, 'constants' => $constants] = json_decode(file_get_contents(__DIR__ . '/config.json'), true);
foreach ($constants as $name => $value) {
    define($name, $value);
}

$hooks = [];
function add_action(string $name, callable $callback, int $priority = 10): void
{
    $GLOBALS['hooks'][$name][$priority][] = $callback;
}
function do_action(string $name, mixed ...$arguments): void
{
    $callbacks = $GLOBALS['hooks'][$name] ?? [];
    ksort($callbacks);
    foreach (array_merge(...$callbacks) as $callback) {
        $callback(...$arguments);
    }
}
function add_filter(string $name, callable $callback, int $priority = 10): void
{
    add_action($name, $callback, $priority);
}
function apply_filters(string $name, mixed $value): mixed
{
    foreach (array_merge(...($GLOBALS['hooks'][$name] ?? [])) as $callback) {
        $value = $callback($value);
    }
    return $value;
}

function __(string $text, string $domain): string
{
    return $text;
}
function esc_html__(string $text, string $domain): string
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
function wp_json_encode(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR);
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

$head = '';
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

final class WP_Error
{
    public function __construct(private string $message)
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
    $http = ['method' => $arguments['method'], 'header' => $headers, 'content' => $arguments['body'] ?? '', 'ignore_errors' => true];
    $body = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    if ($body === false) {
        return new WP_Error('No response');
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

require __DIR__ . '/woocommerce.php';
require __DIR__ . '/plugins/fairterm/fairterm.php';
do_action('plugins_loaded');
require __DIR__ . '/pages.php';
