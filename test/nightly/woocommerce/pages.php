<?php
/** The pages of the shop, which call the hooks like a theme. */

declare(strict_types=1);

$path = rtrim(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), '/');
$product = (object) ['price' => 750.0];
$notices = [];

function page(string $body): never
{
    do_action('wp_enqueue_scripts');
    echo '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><script defer src="/jquery.js"></script>', $GLOBALS['head'], "<body>$body";
    exit;
}
function output_of(string $hook): string
{
    ob_start();
    do_action($hook);
    return ob_get_clean();
}

if (preg_match('#^/wc-api/(\w+)$#', $path, $matches)) {
    do_action("woocommerce_api_{$matches[1]}");
    exit('-1');
}
if (preg_match('#^/admin/complete/(\d+)$#', $path, $matches)) {
    do_action('woocommerce_order_status_completed', (int) $matches[1]);
    exit;
}
if ($path === '/checkout' && $_SERVER['REQUEST_METHOD'] === 'POST') {
    $address = ['first_name' => 'Ada', 'last_name' => 'Lovelace', 'address_1' => '12 Main St', 'address_2' => '', 'city' => 'Chicago',
        'state' => 'IL', 'postcode' => '60601', 'country' => 'US', 'email' => 'ada@shop.example'];
    $order = new WC_Order(41 + count(stored()['orders']), []);
    $order->change(['total' => '1299.00', 'status' => 'pending', 'payment_method' => stored()['chosen'], 'transaction_id' => '',
        'notes' => [], 'address' => $address]);
    [$gateway] = apply_filters('woocommerce_payment_gateways', []);
    $result = (new $gateway())->process_payment($order->get_id());
    $result['result'] === 'success' ? wp_safe_redirect($result['redirect']) : page(implode($notices));
    exit;
}
page(match (true) {
    $path === '/product' => '<main class="product"><h1>Lounge chair</h1>' . output_of('woocommerce_single_product_summary')
        . '<form class="variations_form"><label>Wood <select><option>Choose<option value="750">Oak<option value="1299">Walnut</select></label></form>'
        . '<script type="module" src="/add-to-cart-variation.js"></script></main>',
    $path === '/cart' => '<main><h1>Cart</h1>' . output_of('woocommerce_proceed_to_checkout') . '</main>',
    $path === '/checkout' => '<main><h1>Checkout</h1><form method="post"><p>' . implode(', ', array_map(
        fn (string $gateway): string => (new $gateway())->is_available() ? (new $gateway())->title : '',
        apply_filters('woocommerce_payment_gateways', []),
    )) . '</p><button>Place order</button></form></main>',
    default => '<h1>Thank you</h1>',
});
