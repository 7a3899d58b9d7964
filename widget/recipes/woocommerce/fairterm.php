<?php
/**
 * Plugin Name: Fairterm financing
 * Description: Shows monthly payments on products and in the cart, and adds a payment method.
 * Requires at least: 6.5
 * Requires PHP: 8.0
 * Requires Plugins: woocommerce
 *
 * Add to wp-config.php, so that the secret is not part of database dumps:
 *   define('FAIRTERM_URL', 'http://localhost:4000');
 *   define('FAIRTERM_KEY', '…');
 *   define('FAIRTERM_SECRET', '…');
 *   define('FAIRTERM_CALLBACK_SECRETS', ['whsec_…']);
 */

declare(strict_types=1);

defined('ABSPATH') || exit;

require __DIR__ . '/button.php';
require __DIR__ . '/service.php';
require __DIR__ . '/callback.php';

add_action('plugins_loaded', function (): void {
    if (class_exists('WC_Payment_Gateway')) {
        require __DIR__ . '/gateway.php';
    }
});

add_filter('woocommerce_payment_gateways', fn (array $gateways): array => [...$gateways, 'Fairterm_Gateway']);

/** Converts an amount of WooCommerce, `'1299.00'`, to cents. Rounds, because 19.99 is not exact in binary. */
function fairterm_cents(string|float|int $amount): int
{
    return (int) round((float) $amount * 100);
}

/** Programs are in dollars, so prices in other currencies must not be quoted. */
function fairterm_is_usable(): bool
{
    return defined('FAIRTERM_KEY') && get_woocommerce_currency() === 'USD';
}
