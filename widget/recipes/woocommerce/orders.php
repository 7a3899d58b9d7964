<?php
/** Purchases of orders: the callbacks that report them, their confirmation, and their refunds. */
declare(strict_types=1);
defined('ABSPATH') || exit;

/** Verifies a callback (Standard Webhooks) and returns its content; null if it is not authentic. Names of headers are PHP's, `HTTP_WEBHOOK_ID`. */
function fairterm_verify_callback(string $body, array $headers, int $now): ?array
{
    $id = $headers['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $headers['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if ($id === '' || !ctype_digit($timestamp) || abs($now - (int) $timestamp) > 5 * MINUTE_IN_SECONDS) {
        return null;
    }
    foreach (fairterm_callback_keys() as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        if (array_filter(explode(' ', $headers['HTTP_WEBHOOK_SIGNATURE'] ?? ''), fn (string $given) => hash_equals($expected, $given))) {
            return json_decode($body, true);
        }
    }
    return null;
}

/** The service repeats a callback until the response is 2xx. */
add_action('woocommerce_api_fairterm', function (): void {
    $callback = fairterm_verify_callback((string) file_get_contents('php://input'), $_SERVER, time());
    try {
        $confirm = fn (WC_Order $order) => fairterm_confirm($order, $callback['transactionId']);
        $order_id = ctype_digit($callback['orderRef'] ?? '') ? (int) $callback['orderRef'] : 0;
        status_header($callback === null ? 400 : (fairterm_lock_order($order_id, $confirm) ? 204 : 404));
    } catch (Fairterm_Error $error) {
        wc_get_logger()->error("Callback of order {$callback['orderRef']}: {$error->getMessage()}", ['source' => 'fairterm']);
        status_header(503);
    }
    exit;
});

/** Runs `$work` with the order, read anew, while no other request does so. Returns false if the order does not exist. MySQL releases the lock if PHP ends. */
function fairterm_lock_order(int $order_id, callable $work): bool
{
    global $wpdb;
    // Names are shared by all databases of the server, and have at most 64 characters.
    $name = 'fairterm-' . md5(DB_NAME . $wpdb->prefix . $order_id);
    if ((int) $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, 10)) !== 1) {
        throw new Fairterm_Error("Another request is changing order $order_id");
    }
    try {
        $is_found = wc_get_order($order_id) instanceof WC_Order;
        if ($is_found) {
            // Not from the caches of this request, which may be older than the lock.
            clean_post_cache($order_id);
            $order = new WC_Order($order_id);
            $order->read_meta_data(true);
            $work($order);
        }
        return $is_found;
    } finally {
        $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
    }
}

/** Returns true while a purchase can pay the order. One on hold may have been paid before. */
function fairterm_awaits_payment(WC_Order $order): bool
{
    return $order->needs_payment() || ($order->has_status('on-hold') && !$order->get_date_paid());
}

/**
 * Authorizes a signed purchase of an order that awaits payment, and cancels that of any other order. Repeating it changes nothing. The signature
 * of a callback only authenticates the sender: amounts of a cart that a page created can be edited by its visitor.
 */
function fairterm_confirm(WC_Order $order, string $id): void
{
    if ($order->get_transaction_id() === $id) {
        return;
    }
    ['status' => $status, 'merchantOrderId' => $authorized_for, 'adjustedTotal' => $total] = Fairterm_Client::call('GET', ['transactions', $id]);
    if (!fairterm_awaits_payment($order) || in_array($status, ['CANCELED', 'REFUNDED', 'EXPIRED'], true)) {
        fairterm_cancel_other($order, $id, $status);
        return;
    }
    // An earlier attempt authorized it, and this server crashed before it stored the result.
    $is_authorized = $status !== 'PENDING' && $authorized_for === (string) $order->get_id();
    $is_expected = ($status === 'PENDING' || $is_authorized) && $order->get_currency() === 'USD';
    if (!$is_expected || $total !== fairterm_cents($order->get_total())) {
        fairterm_attach($order, $id);
        $order->add_order_note(sprintf(__('The financed purchase %s does not match this order. Review it before you ship.', 'fairterm'), $id));
        $order->update_status('on-hold') || throw new Fairterm_Error('The order could not be saved');
    } elseif ($is_authorized || fairterm_authorize($order, $id, $total)) {
        fairterm_attach($order, $id);
        $order->payment_complete($id) || throw new Fairterm_Error('The order could not be saved');
    }
}

/** Returns false if the card for the remainder was declined: the purchase is canceled then, and the order fails. */
function fairterm_authorize(WC_Order $order, string $id, int $cents): bool
{
    try {
        Fairterm_Client::act('authorize', $id, ['merchantOrderId' => (string) $order->get_id(), 'amount' => $cents]);
        return true;
    } catch (Fairterm_Error $error) {
        if ($error->reason !== 'card-declined') {
            throw $error;
        }
        $order->update_status('failed', __('The card for the part that is not financed was declined.', 'fairterm'));
        Fairterm_Client::act('cancel', $id);
        return false;
    }
}

/** Stores the purchase with the order, and cancels the one that it replaces. */
function fairterm_attach(WC_Order $order, string $id): void
{
    if ($order->get_payment_method() !== 'fairterm') {
        $order->set_payment_method('fairterm');
        $order->set_payment_method_title(__('Pay over time', 'fairterm'));
    } elseif ($order->get_transaction_id() !== '') {
        $earlier = Fairterm_Client::call('GET', ['transactions', $order->get_transaction_id()]);
        fairterm_cancel_other($order, $order->get_transaction_id(), $earlier['status']);
    }
    $order->set_transaction_id($id);
}

/** Cancels a purchase that does not pay the order, so that the buyer does not owe two loans. */
function fairterm_cancel_other(WC_Order $order, string $id, string $status): void
{
    if ($status === 'PENDING' || $status === 'AUTHORIZED') {
        Fairterm_Client::act('cancel', $id);
        $order->add_order_note(sprintf(__('Another financed purchase, %s, was signed for this order. It is canceled.', 'fairterm'), $id));
    } elseif ($status === 'SETTLED') {
        $order->add_order_note(sprintf(__('Another financed purchase, %s, of this order is settled. Refund it in the console.', 'fairterm'), $id));
    }
}

/**
 * Refunds an amount of a settled purchase, or cancels it before the settlement. WooCommerce deletes a refund that failed, and the merchant's next
 * attempt is another refund. The key of an attempt is therefore stored with the order before the call, and deleted with its outcome: an attempt
 * whose response was lost is completed by the next one. The service stores keys for 72 hours, and references of refunds permanently.
 */
function fairterm_refund(WC_Order $order, int $cents): void
{
    if ($cents <= 0) {
        throw new Fairterm_Error(__('Expected an amount above 0.', 'fairterm'));
    }
    $id = $order->get_transaction_id();
    // WooCommerce has stored this refund already.
    $refunded_before = fairterm_cents($order->get_total_refunded()) - $cents;
    $attempt = $order->get_meta('_fairterm_refund') ?: null;
    $adjustments = $attempt ? Fairterm_Client::call('GET', ['transactions', $id, 'adjustments'])['adjustments'] : [];
    $made = array_column($adjustments, 'amount', 'reference')[$attempt['key'] ?? ''] ?? null;
    if ($made !== null && $refunded_before - $attempt['refunded_before'] >= $made) {
        // Recorded by hand, or PHP ended before WooCommerce deleted the refund.
        [$attempt, $made] = [null, null];
    } elseif ($made !== null && $made !== $cents) {
        $description = __('An earlier refund of $%s was made, but its response was lost. Repeat that one first, which only records it.', 'fairterm');
        throw new Fairterm_Error(sprintf($description, number_format($made / 100, 2)));
    }
    try {
        if ($made === null) {
            $attempt ??= ['key' => wp_generate_uuid4(), 'refunded_before' => $refunded_before];
            fairterm_store_attempt($order, $attempt);
            $type = Fairterm_Client::call('GET', ['transactions', $id])['status'] === 'SETTLED' ? 'refund' : 'cancel';
            // A late request of an earlier attempt has the same key, so only one of them has an effect.
            Fairterm_Client::act($type, $id, ['amount' => $cents, 'reference' => $attempt['key']], $attempt['key']);
        }
        fairterm_store_attempt($order, null);
    } catch (Fairterm_Error $error) {
        // A key that was used with another amount has no outcome: that attempt may have an effect later.
        $is_rejected = in_array($error->status, [400, 402, 404, 422], true) && !in_array($error->reason, ['', 'idempotency-key-reused'], true);
        if ($is_rejected || $error->reason === 'wrong-state') {
            fairterm_store_attempt($order, null);
        }
        throw $error;
    }
}

function fairterm_store_attempt(WC_Order $order, ?array $attempt): void
{
    $attempt ? $order->update_meta_data('_fairterm_refund', $attempt) : $order->delete_meta_data('_fairterm_refund');
    $order->save_meta_data();
}
