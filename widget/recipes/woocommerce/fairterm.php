<?php
/**
 * Plugin Name: Fairterm financing
 * Description: Shows monthly payments on products and in the cart, and adds a payment method.
 * Version: 0.1.0
 * Requires at least: 6.5
 * Requires PHP: 8.0
 * Requires Plugins: woocommerce
 * License: Apache-2.0
 * Text Domain: fairterm
 */
declare(strict_types=1);
defined('ABSPATH') || exit;

foreach (['client', 'orders', 'scheduled', 'button'] as $file) {
    require __DIR__ . "/$file.php";
}
add_action('before_woocommerce_init', function (): void {
    Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('custom_order_tables', __FILE__, true);
    Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('cart_checkout_blocks', __FILE__, true);
});

// One Spanish for every locale of the language. WordPress reads fairterm-es.l10n.php in place of the .mo file.
$load_spanish = fn () => str_starts_with(determine_locale(), 'es') && load_textdomain('fairterm', __DIR__ . '/languages/fairterm-es.mo');
add_action('init', $load_spanish, -1);
add_filter('woocommerce_payment_gateways', function (array $gateways): array {
    require_once __DIR__ . '/gateway.php';
    return array_merge($gateways, ['Fairterm_Gateway']);
});
add_action('woocommerce_blocks_payment_method_type_registration', function ($registry): void {
    require_once __DIR__ . '/gateway.php';
    $registry->register(new Fairterm_Checkout_Block());
});

/** Converts an amount of WooCommerce, `'1299.00'`, to cents. Rounds, because 19.99 is not exact in binary. */
function fairterm_cents(string|float|int|null $amount): int
{
    return (int) round((float) $amount * 100);
}

/** Returns true if the settings are complete, and amounts in this currency can be financed. Default: the currency of the shop. */
function fairterm_is_usable(?string $currency = null): bool
{
    return !in_array('', array_map('fairterm_setting', array_keys(FAIRTERM_CONSTANTS)), true) && ($currency ?? get_woocommerce_currency()) === 'USD';
}

/** Returns true if the order can be financed. Its currency may differ from that of the shop. */
function fairterm_is_eligible(WC_Order $order): bool
{
    $products = array_map(fn ($item) => $item->get_product(), $order->get_items());
    $is_subscription = function_exists('wcs_order_contains_subscription') && wcs_order_contains_subscription($order, 'any');
    return fairterm_is_usable($order->get_currency()) && !$is_subscription && !fairterm_has_subscription($products);
}

function fairterm_is_cart_eligible(): bool
{
    return fairterm_is_usable() && !fairterm_has_subscription(array_column(WC()->cart?->get_cart() ?? [], 'data'));
}

/** @param array<WC_Product|false> $products False is a product that was deleted. */
function fairterm_has_subscription(array $products): bool
{
    $is_subscription = fn ($product) => $product && WC_Subscriptions_Product::is_subscription($product);
    return class_exists('WC_Subscriptions_Product') && array_filter($products, $is_subscription) !== [];
}
