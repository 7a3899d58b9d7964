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

require __DIR__ . '/service.php';

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

/* The button on the pages of products and in the cart. */

add_action('wp_enqueue_scripts', function (): void {
    if (!fairterm_is_usable() || (!is_product() && !is_cart())) {
        return;
    }
    wp_enqueue_style('fairterm-reserve', FAIRTERM_URL . '/widget/v1/reserve.css', [], null);
    wp_enqueue_script_module('fairterm', FAIRTERM_URL . '/widget/v1/financing-button.js', [], null);
    wp_enqueue_script('fairterm-variations', plugins_url('variations.js', __FILE__), ['jquery'], '1', true);
});

// After the price, which WooCommerce prints at 10. A variable product starts at its lowest price.
add_action('woocommerce_single_product_summary', function (): void {
    global $product;
    fairterm_print_button(wc_get_price_to_display($product));
}, 11);

// Below the checkout button, which has priority 20. The cart is rendered again whenever it changes, including this button.
add_action('woocommerce_proceed_to_checkout', function (): void {
    fairterm_print_button(WC()->cart->get_total('edit'), WC()->api_request_url('fairterm_choose'));
}, 30);

/** URL of the button in the cart: redirects to the checkout with this payment method selected. */
add_action('woocommerce_api_fairterm_choose', function (): void {
    WC()->session->set('chosen_payment_method', 'fairterm');
    wp_safe_redirect(wc_get_checkout_url());
    exit;
});

function fairterm_print_button(string|float|int $amount, string $cart_url = ''): void
{
    if (!fairterm_is_usable()) {
        return;
    }
    $button = ['api-key' => esc_attr(FAIRTERM_KEY), 'amount' => (string) fairterm_cents($amount), 'cart-url' => esc_url($cart_url)];
    echo '<financing-button';
    foreach (array_filter($button) as $name => $value) {
        echo " $name=\"$value\"";
    }
    echo '>';
    if ($cart_url !== '') {
        // Shown until the script runs, and without JavaScript.
        printf('<a slot="fallback" href="%s">%s</a>', esc_url($cart_url), esc_html__('Pay over time', 'fairterm'));
    }
    echo '</financing-button>';
}
