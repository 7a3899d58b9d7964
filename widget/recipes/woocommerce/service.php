<?php
/** Requests to the service, and verification of its callbacks. */

declare(strict_types=1);

defined('ABSPATH') || exit;

/**
 * Calls the merchant API from this server.
 *
 * @return array{status: int, body: array<string, mixed>} Status 0 if there was no response; the action may have been applied.
 */
function fairterm_call(string $method, string $path, ?array $body = null): array
{
    $response = wp_remote_request(FAIRTERM_URL . $path, [
        'method' => $method,
        'timeout' => 15,
        'headers' => [
            'Authorization' => 'Basic ' . base64_encode(FAIRTERM_KEY . ':' . FAIRTERM_SECRET),
            'Content-Type' => 'application/json',
        ],
        'body' => $body === null ? null : wp_json_encode($body),
    ]);
    if (is_wp_error($response)) {
        return ['status' => 0, 'body' => ['description' => $response->get_error_message()]];
    }
    return [
        'status' => wp_remote_retrieve_response_code($response),
        'body' => json_decode(wp_remote_retrieve_body($response), true) ?? [],
    ];
}

/**
 * Verifies a callback (Standard Webhooks) and returns its content.
 *
 * @param string                $body    As received.
 * @param array<string, string> $headers With PHP's names, `HTTP_WEBHOOK_ID`.
 * @return array{transactionId: string, orderRef: string}|null Null if the signature is invalid.
 */
function fairterm_verify_callback(string $body, array $headers, int $now): ?array
{
    $id = $headers['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $headers['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if ($id === '' || !ctype_digit($timestamp) || abs($now - (int) $timestamp) > 5 * MINUTE_IN_SECONDS) {
        return null;
    }
    $given = explode(' ', $headers['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    foreach (FAIRTERM_CALLBACK_SECRETS as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        if (strlen($key) < 24) {
            throw new LogicException('FAIRTERM_CALLBACK_SECRETS: expected whsec_ and a key in base64');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach ($given as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($body, true);
            }
        }
    }
    return null;
}
