<?php
/** Settings of the plugin, and the client of the merchant API that uses them. */
declare(strict_types=1);
defined('ABSPATH') || exit;

const FAIRTERM_CONSTANTS =
    ['url' => 'FAIRTERM_URL', 'key' => 'FAIRTERM_KEY', 'secret' => 'FAIRTERM_SECRET', 'callback_secrets' => 'FAIRTERM_CALLBACK_SECRETS'];

/** Returns a setting; empty if it is neither defined nor entered. A constant wins, so that a secret need not be in the database. */
function fairterm_setting(string $name): string
{
    $constant = FAIRTERM_CONSTANTS[$name];
    $value = defined($constant) ? constant($constant) : (get_option('woocommerce_fairterm_settings', [])[$name] ?? '');
    $text = trim(is_array($value) ? implode(' ', $value) : (string) $value);
    return $name === 'url' ? rtrim($text, '/') : $text;
}

/** Returns the keys of the callback secrets: two during a rotation. @throws LogicException if one is malformed, or without any. */
function fairterm_callback_keys(): array
{
    $secrets = preg_split('/[\s,]+/', fairterm_setting('callback_secrets'), -1, PREG_SPLIT_NO_EMPTY);
    $keys = array_map(fn (string $secret) => str_starts_with($secret, 'whsec_') ? (string) base64_decode(substr($secret, 6), true) : '', $secrets);
    if ($keys === [] || min(array_map('strlen', $keys)) < 24) {
        throw new LogicException(__('Callback secret: expected whsec_ and a key in base64.', 'fairterm'));
    }
    return $keys;
}

/** A failed call. `reason` is the code of the service; empty without a response. */
final class Fairterm_Error extends RuntimeException
{
    public function __construct(string $description, public string $reason = '', public int $status = 0)
    {
        parent::__construct($description);
    }
}

final class Fairterm_Client
{
    /** Applies `authorize`, `settle`, `cancel` or `refund` to a transaction. Calls with the same idempotency key have one effect. */
    public static function act(string $type, string $id, array $fields = [], string $key = ''): array
    {
        return self::call('POST', ['transactions', 'actions', $id], ['type' => $type] + $fields, $key);
    }

    /** Segments of the path are unescaped. Fields are the query of a GET, or the body. @throws Fairterm_Error */
    public static function call(string $method, array $path, array $fields = [], string $key = ''): array
    {
        if (in_array('', $path, true)) {
            throw new Fairterm_Error(__('The order has no financed purchase.', 'fairterm'));
        }
        $url = fairterm_setting('url') . '/' . implode('/', array_map('rawurlencode', $path));
        $key_pair = base64_encode(fairterm_setting('key') . ':' . fairterm_setting('secret'));
        $headers = ['Authorization' => "Basic $key_pair", 'Content-Type' => 'application/json', 'Fairterm-Version' => '2'];
        $response = wp_remote_request($method === 'GET' && $fields ? $url . '?' . http_build_query($fields) : $url, [
            'method' => $method,
            'timeout' => 12, // The service repeats a callback after 15 seconds.
            'redirection' => 0, // A redirected POST would become a GET.
            'headers' => $headers + array_filter(['Idempotency-Key' => $key]),
            'body' => $method === 'GET' ? null : wp_json_encode($fields),
        ]);
        if (is_wp_error($response)) {
            throw new Fairterm_Error($response->get_error_message());
        }
        $status = (int) wp_remote_retrieve_response_code($response);
        $content = json_decode(wp_remote_retrieve_body($response), true);
        if ($status === 204 || ($status === 200 && is_array($content))) {
            return $content ?? [];
        }
        throw new Fairterm_Error($content['description'] ?? "HTTP $status", $content['code'] ?? '', $status);
    }
}
