<?php
/** Requests to the service, and its callbacks: confirms their orders, and settles transactions when orders are completed. */

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

/** Confirms the order of a purchase. The service retries the callback until the response is 2xx. */
add_action('woocommerce_api_fairterm', function (): void {
    $callback = fairterm_verify_callback((string) file_get_contents('php://input'), $_SERVER, time());
    if ($callback === null) {
        status_header(400);
        exit;
    }
    $order = wc_get_order((int) $callback['orderRef']);
    if (!$order || $order->get_payment_method() !== 'fairterm') {
        status_header(404);
        exit;
    }
    status_header(fairterm_confirm($order, $callback['transactionId']) ? 204 : 503);
    exit;
});

/**
 * Compares the transaction with the order and authorizes it. The signature of the callback only authenticates the sender.
 *
 * @return bool False if the service should retry the callback.
 */
function fairterm_confirm(WC_Order $order, string $transaction_id): bool
{
    if ($order->is_paid()) {
        return true;
    }
    $path = '/transactions/' . rawurlencode($transaction_id);
    $action = '/transactions/actions/' . rawurlencode($transaction_id);
    ['status' => $status, 'body' => $transaction] = fairterm_call('GET', $path);
    if ($status !== 200) {
        return false;
    }
    $order_ref = (string) $order->get_id();
    // An earlier callback authorized it, and this server crashed before it stored the result.
    $is_authorized = $transaction['status'] === 'AUTHORIZED' && $transaction['merchantOrderId'] === $order_ref;
    if ($transaction['total'] !== fairterm_cents($order->get_total()) || ($transaction['status'] !== 'PENDING' && !$is_authorized)) {
        $order->update_status('on-hold', "Fairterm transaction $transaction_id does not match this order. Review it before you ship the order.");
        return true;
    }
    if ($is_authorized) {
        $order->payment_complete($transaction_id);
        return true;
    }
    ['status' => $status, 'body' => $response] = fairterm_call('POST', $action, ['type' => 'authorize', 'merchantOrderId' => $order_ref]);
    if ($status === 200) {
        $order->payment_complete($transaction_id);
        return true;
    }
    if (($response['code'] ?? '') === 'card-declined') {
        fairterm_call('POST', $action, ['type' => 'cancel']);
        $order->update_status('failed', 'The card for the part that is not financed was declined.');
        return true;
    }
    return false;
}

/** Settles the transaction when the order is completed. */
add_action('woocommerce_order_status_completed', function (int $order_id): void {
    $order = wc_get_order($order_id);
    if ($order->get_payment_method() !== 'fairterm') {
        return;
    }
    $action = '/transactions/actions/' . rawurlencode($order->get_transaction_id());
    ['status' => $status, 'body' => $response] = fairterm_call('POST', $action, ['type' => 'settle']);
    if ($status !== 200) {
        $order->add_order_note('Fairterm did not settle it: ' . ($response['description'] ?? $status));
    }
});
