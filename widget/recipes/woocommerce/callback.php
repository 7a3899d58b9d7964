<?php
/** Updates orders: paid after the service confirms it, settled when the order is completed. */

declare(strict_types=1);

defined('ABSPATH') || exit;

/** Confirms the order of a purchase. The service repeats the callback until the response is 2xx. */
add_action('woocommerce_api_fairterm', function (): void {
    $report = fairterm_verified((string) file_get_contents('php://input'), $_SERVER, time());
    if ($report === null) {
        status_header(401);
        exit;
    }
    $order = wc_get_order((int) $report['orderRef']);
    if (!$order || $order->get_payment_method() !== 'fairterm') {
        status_header(404);
        exit;
    }
    status_header(fairterm_confirm($order, $report['transactionId']) ? 204 : 503);
    exit;
});

/**
 * Compares the transaction with the order and authorizes it. The signature of the callback only authenticates the sender.
 *
 * @return bool False if the service should repeat the callback.
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
    // An earlier callback authorized it, and this server crashed before it stored that.
    $is_ours = $transaction['status'] === 'AUTHORIZED' && $transaction['merchantOrderId'] === $order_ref;
    if ($transaction['total'] !== fairterm_cents($order->get_total()) || ($transaction['status'] !== 'PENDING' && !$is_ours)) {
        $order->update_status('on-hold', "Fairterm transaction $transaction_id does not pay for this order: look at it before anything is shipped.");
        return true;
    }
    if ($is_ours) {
        $order->payment_complete($transaction_id);
        return true;
    }
    ['status' => $status, 'body' => $answer] = fairterm_call('POST', $action, ['type' => 'authorize', 'merchantOrderId' => $order_ref]);
    if ($status === 200) {
        $order->payment_complete($transaction_id);
        return true;
    }
    if (($answer['code'] ?? '') === 'card-declined') {
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
    ['status' => $status, 'body' => $answer] = fairterm_call('POST', $action, ['type' => 'settle']);
    if ($status !== 200) {
        $order->add_order_note('Fairterm did not settle it: ' . ($answer['description'] ?? $status));
    }
});
