<?php
/** Actions that follow from the state of an order. Action Scheduler, which is part of WooCommerce, repeats those that failed. */
declare(strict_types=1);
defined('ABSPATH') || exit;

/** Delays before each repetition of an action, and before each poll of a new order. */
const FAIRTERM_DELAY_SECONDS = [60, 600, 3_600, 21_600, 86_400, 259_200];

add_action('woocommerce_order_status_completed', fn (int $order_id) => fairterm_run($order_id, 'settle'));
add_action('woocommerce_order_status_cancelled', fn (int $order_id) => fairterm_run($order_id, 'cancel'));
add_action('woocommerce_update_order', 'fairterm_notice_shipment');
// An order that is a post saves its metadata alone.
foreach (['added_post_meta', 'updated_post_meta'] as $hook) {
    add_action($hook, fn ($id, $post_id, $name) => $name === '_wc_shipment_tracking_items' && fairterm_notice_shipment((int) $post_id), 10, 3);
}
add_action('fairterm_run', 'fairterm_run', 10, 3);

/** Runs `settle`, `cancel`, `ship` or `poll` for an order with this payment method. If it fails, notes it and schedules it again. */
function fairterm_run(int $order_id, string $action, int $attempt = 0): void
{
    $order = wc_get_order($order_id);
    if (!$order instanceof WC_Order || $order->get_payment_method() !== 'fairterm') {
        return;
    }
    try {
        fairterm_lock_order($order_id, "fairterm_$action");
        $action === 'poll' && fairterm_awaits_payment(new WC_Order($order_id)) && fairterm_schedule($order_id, $action, $attempt);
    } catch (Fairterm_Error $error) {
        $is_last = !fairterm_schedule($order_id, $action, $attempt);
        $next = $is_last ? __('Do it in the console: it is not tried again.', 'fairterm') : __('It will be tried again.', 'fairterm');
        $action === 'poll' || $order->add_order_note("Fairterm, $action: {$error->getMessage()} $next");
    }
}

/** Schedules the next attempt; returns false after the last one. @param int $attempt Number of earlier ones that were scheduled. */
function fairterm_schedule(int $order_id, string $action, int $attempt = 0): bool
{
    $delay = FAIRTERM_DELAY_SECONDS[$attempt] ?? null;
    $arguments = [$order_id, $action, $attempt + 1];
    if ($delay !== null && !as_has_scheduled_action('fairterm_run', $arguments, 'fairterm')) {
        as_schedule_single_action(time() + $delay, 'fairterm_run', $arguments, 'fairterm');
    }
    return $delay !== null;
}

function fairterm_settle(WC_Order $order): void
{
    $id = $order->get_transaction_id();
    if ($order->has_status('completed') && !in_array(Fairterm_Client::call('GET', ['transactions', $id])['status'], ['SETTLED', 'REFUNDED'], true)) {
        Fairterm_Client::act('settle', $id);
    }
}

/** Cancels purchases, or refunds what is left of them, and ends the link to the checkout. */
function fairterm_cancel(WC_Order $order): void
{
    if (!$order->has_status('cancelled')) {
        return;
    }
    // The callback of a signed purchase may not have arrived.
    foreach (array_unique([...fairterm_purchases($order), ...array_filter([$order->get_transaction_id()])]) as $id) {
        $status = Fairterm_Client::call('GET', ['transactions', $id])['status'];
        if (in_array($status, ['PENDING', 'AUTHORIZED', 'SETTLED'], true)) {
            Fairterm_Client::act($status === 'SETTLED' ? 'refund' : 'cancel', $id);
            $note = $status === 'SETTLED' ? __('Fairterm refunded what was left of %s.', 'fairterm') : __('Fairterm canceled %s.', 'fairterm');
            $order->add_order_note(sprintf($note, $id));
        }
    }
    if ($cart_id = $order->get_meta('_fairterm_cart_id')) {
        Fairterm_Client::call('POST', ['carts', $cart_id, 'expire']);
    }
}

/** Returns the ids of all purchases of an order, the oldest first. */
function fairterm_purchases(WC_Order $order): array
{
    ['transactions' => $purchases] = Fairterm_Client::call('GET', ['transactions'], ['orderRef' => $order->get_id()]);
    return array_reverse(array_column($purchases, 'serviceTransactionId'));
}

/** Confirms an order whose callback did not arrive. */
function fairterm_poll(WC_Order $order): void
{
    foreach (fairterm_awaits_payment($order) ? fairterm_purchases($order) : [] as $id) {
        fairterm_confirm($order, $id);
    }
}

function fairterm_ship(WC_Order $order): void
{
    if ($shipment = fairterm_unsent_shipment($order)) {
        Fairterm_Client::call('POST', ['transactions', $order->get_transaction_id(), 'shipment'], $shipment);
        $order->update_meta_data('_fairterm_shipment', $shipment);
        $order->save_meta_data();
    }
}

function fairterm_notice_shipment(int $order_id): void
{
    $order = wc_get_order($order_id);
    if ($order instanceof WC_Order && fairterm_unsent_shipment($order)) {
        fairterm_schedule($order_id, 'ship');
    }
}

/** Returns the `trackingNumber` and the `carrierName`; null if the order has no shipment, or if it was sent. Other extensions use the filter. */
function fairterm_unsent_shipment(WC_Order $order): ?array
{
    if ($order->get_payment_method() !== 'fairterm' || $order->get_transaction_id() === '') {
        return null;
    }
    $parcels = array_filter($order->get_meta('_wc_shipment_tracking_items') ?: [], fn (array $parcel) => !empty($parcel['tracking_number']));
    $in_line = fn (array $texts) => mb_substr(implode(', ', array_unique($texts)), 0, 200);
    $carriers = array_map(fn (array $parcel) => ($parcel['custom_tracking_provider'] ?? '') ?: $parcel['tracking_provider'] ?? '', $parcels);
    $shipment = ['trackingNumber' => $in_line(array_column($parcels, 'tracking_number')), 'carrierName' => $in_line($carriers)];
    $shipment = apply_filters('fairterm_shipment', $parcels === [] ? null : $shipment, $order);
    return $shipment === $order->get_meta('_fairterm_shipment') ? null : $shipment;
}
