<?php
/** The button on the pages of products and in the cart, both of classic themes and of blocks. */
declare(strict_types=1);
defined('ABSPATH') || exit;

add_action('wp_enqueue_scripts', function (): void {
    if (fairterm_is_usable() && (is_product() || is_cart())) {
        wp_enqueue_style('fairterm-reserve', fairterm_setting('url') . '/widget/v1/reserve.css', [], null);
        wp_enqueue_script_module('fairterm', fairterm_setting('url') . '/widget/v1/financing-button.js', [], null);
        wp_enqueue_script('fairterm-button', plugins_url('button.js', __FILE__), is_cart() ? ['jquery', 'wp-data'] : ['jquery'], '0.1.0', true);
    }
});

// After the price, which WooCommerce prints at 10.
add_action('woocommerce_single_product_summary', fn () => print fairterm_product_button($GLOBALS['product'] ?? null), 11);

// The price of the page's product, not that of another product in a list on the page.
add_filter('render_block_woocommerce/product-price', function (string $html, array $block, WP_Block $instance): string {
    $id = (int) ($instance->context['postId'] ?? 0);
    return is_product() && $id === get_queried_object_id() ? $html . fairterm_product_button(wc_get_product($id)) : $html;
}, 10, 3);

// Below the checkout button, which has priority 20. The cart is rendered again whenever it changes, including this button.
add_action('woocommerce_proceed_to_checkout', fn () => print fairterm_cart_button(), 30);

// After the block, whose content is replaced by its script. button.js updates the amount.
add_filter('render_block_woocommerce/cart', fn (string $html): string => $html . fairterm_cart_button());

/** URL of the button in the cart: redirects to the checkout with this payment method selected. */
add_action('woocommerce_api_fairterm_choose', function (): void {
    WC()->session->set('chosen_payment_method', 'fairterm');
    wp_safe_redirect(wc_get_checkout_url());
    exit;
});

/** Returns the button once: on block pages, WooCommerce calls the classic hook too. A variable product starts at its lowest price. */
function fairterm_product_button(mixed $product): string
{
    static $is_printed = false;
    if ($is_printed || !$product instanceof WC_Product || !$product->is_purchasable() || fairterm_has_subscription([$product])) {
        return '';
    }
    $is_printed = true;
    return fairterm_button((float) wc_get_price_to_display($product));
}

function fairterm_cart_button(): string
{
    return fairterm_is_cart_eligible() ? fairterm_button((float) WC()->cart->get_total('edit'), WC()->api_request_url('fairterm_choose')) : '';
}

function fairterm_button(float $amount, string $cart_url = ''): string
{
    if (!fairterm_is_usable() || $amount <= 0) {
        return '';
    }
    // The link is shown until the script runs, and without JavaScript.
    $link = sprintf('<a slot="fallback" href="%s">%s</a>', esc_url($cart_url), esc_html__('Pay over time', 'fairterm'));
    return sprintf('<financing-button api-key="%s" amount="%d"', esc_attr(fairterm_setting('key')), fairterm_cents($amount))
        . ($cart_url === '' ? '>' : sprintf(' cart-url="%s">%s', esc_url($cart_url), $link)) . '</financing-button>';
}
