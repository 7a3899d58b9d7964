<?php
/**
 * Plugin Name: Fairterm financing
 * Description: A monthly price on products and in the cart, and a way to pay.
 * Requires at least: 6.5
 * Requires PHP: 8.0
 * Requires Plugins: woocommerce
 *
 * In wp-config.php, where no dump of the database has it:
 *   define('FAIRTERM_URL', 'https://financing.example');
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

/** An amount of WooCommerce's, `'1299.00'`, in cents. Rounded: as a binary fraction 19.99 is a little less. */
function fairterm_cents(string|float|int $amount): int
{
    return (int) round((float) $amount * 100);
}

/** Fairterm's programs are in dollars; a price in another currency must not be quoted as if it were. */
function fairterm_is_usable(): bool
{
    return defined('FAIRTERM_KEY') && get_woocommerce_currency() === 'USD';
}
