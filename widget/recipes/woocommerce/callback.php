<?php
/** Confirms orders after callbacks, and settles transactions when orders are completed. */

declare(strict_types=1);

defined('ABSPATH') || exit;

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
