<?php
/** The pages of the shop, which call the hooks like a theme, and requests of its administrators. */

declare(strict_types=1);

$path = rtrim(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), '/');
$product = new WC_Product(1, $_GET['type'] ?? 'simple', $_GET['price'] ?? '750');
$notices = [];

function page(string $body, string $class = ''): never
{
    do_action('wp_enqueue_scripts');
    echo '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title><link rel="icon" href="data:,"><script defer src="/jquery.js"></script><script defer src="/wp-data.js"></script>', $GLOBALS['head'], "<body class=\"$class\">$body";
    exit;
}
function answer(mixed $value): never
{
    header('content-type: application/json');
    echo json_encode($value, JSON_THROW_ON_ERROR);
    exit;
}
function output_of(string $hook): string
{
    ob_start();
    do_action($hook);
    return ob_get_clean();
}
function variations(): string
{
    return '<form class="variations_form"><label>Wood <select><option>Choose<option value="750">Oak<option value="1299">Walnut</select></label></form>'
        . '<script type="module" src="/add-to-cart-variation.js"></script>';
}
/** The page of the settings of a payment method, whose form WooCommerce saves if a button named `save` is pressed. */
function settings_page(): never
{
    $gateway = WC()->payment_gateways()->payment_gateways()['fairterm'];
    if (!empty($_POST['save'])) {
        do_action('woocommerce_update_options_payment_gateways_fairterm');
    }
    $GLOBALS['head'] .= '<style>.wp-admin { font: 14px/1.5 system-ui; background: #f0f0f1; color: #1d2327; margin: 24px } th { text-align: left; width: 200px; padding: 14px 10px 14px 0 }'
        . ' input:not([type=checkbox]) { width: 400px; padding: 6px 8px; border: 1px solid #8c8f94; border-radius: 4px } button { padding: 7px 12px; border: 1px solid #2271b1; border-radius: 3px; color: #2271b1 }'
        . ' .button-primary { background: #2271b1; color: #fff } .inline { background: #fff; border: 1px solid #c3c4c7; border-left: 4px solid #00a32a; padding: 1px 12px } .error { border-left-color: #d63638 }</style>';
    ob_start();
    foreach (WC_Admin_Settings::$messages as [$class, $text]) {
        echo "<div class=\"$class inline\"><p>", esc_html($text), '</p></div>';
    }
    $gateway->admin_options();
    page('<main><form method="post">' . ob_get_clean() . '<p><button class="button-primary" name="save" value="Save changes">Save changes</button></p></form></main>', 'wp-admin');
}

if (preg_match('#^/wc-api/(\w+)$#', $path, $matches)) {
    do_action("woocommerce_api_{$matches[1]}");
    exit('-1');
}
if ($path === '/wp-admin/settings') {
    settings_page();
}
// The settings that WooCommerce's REST API lists.
if ($path === '/wp-json/wc/v3/payment_gateways/fairterm') {
    $gateway = WC()->payment_gateways()->payment_gateways()['fairterm'];
    $is_listed = fn (array $field): bool => !empty($field['title']) && !empty($field['type']);
    answer(array_intersect_key($gateway->settings, array_filter($gateway->form_fields, $is_listed)));
}
// What the administrators of the test shop do, and what they see.
if (str_starts_with($path, '/admin/')) {
    $input = json_decode(file_get_contents('php://input') ?: '{}', true);
    $order = isset($input['order']) ? wc_get_order($input['order']) : null;
    answer(match (substr($path, strlen('/admin/'))) {
        'create' => WC_Order::create($input['fields'])->get_id(),
        'change' => change_stored("order-{$input['order']}", fn (array $row): array => $input['fields'] + $row),
        'pay' => ['result' => WC()->payment_gateways()->payment_gateways()['fairterm']->process_payment($input['order']), 'notices' => $notices],
        'status' => $order->update_status($input['status']),
        'refund' => wc_create_refund($input['order'], $input['amount'], 'Damaged', $input['refund_payment'] ?? true),
        'meta' => (function () use ($order, $input): bool {
            $order->update_meta_data($input['name'], $input['value']);
            $order->save_meta_data();
            return true;
        })(),
        'create-poll' => as_schedule_single_action(time(), 'fairterm_run', [$input['order'], 'poll', 1], 'fairterm'),
        'scheduler' => run_scheduled_actions(),
        'available' => WC()->payment_gateways()->payment_gateways()['fairterm']->is_available(),
        'declared' => Automattic\WooCommerce\Utilities\FeaturesUtil::$declared,
    });
}
if ($path === '/checkout' && $_SERVER['REQUEST_METHOD'] === 'POST') {
    $address = ['first_name' => 'Ada', 'last_name' => 'Lovelace', 'address_1' => '12 Main St', 'address_2' => '', 'city' => 'Chicago',
        'state' => 'IL', 'postcode' => '60601', 'country' => 'US', 'email' => 'ada@shop.example', 'phone' => '(312) 555-0100'];
    $order = WC_Order::create(['payment_method' => 'fairterm', 'address' => $address]);
    $result = WC()->payment_gateways()->payment_gateways()['fairterm']->process_payment($order->get_id());
    $result['result'] === 'success' ? wp_safe_redirect($result['redirect']) : page(implode($notices));
    exit;
}
page(match (true) {
    $path === '/product' => '<main class="product"><h1>Lounge chair</h1>' . output_of('woocommerce_single_product_summary') . variations() . '</main>',
    // The compatibility layer of block templates calls the classic hook after the blocks of the template.
    $path === '/product-blocks' => '<main><h1>Lounge chair</h1>' . render_block('woocommerce/product-price', '<p>$750.00</p>', ['postId' => 1]) . variations()
        . render_block('woocommerce/product-price', '<p>$99.00</p>', ['postId' => 2]) . output_of('woocommerce_single_product_summary') . '</main>',
    $path === '/cart' => '<main><h1>Cart</h1>' . output_of('woocommerce_proceed_to_checkout') . '</main>',
    $path === '/cart-blocks' => '<main><h1>Cart</h1>' . render_block('woocommerce/cart', '<div class="wp-block-woocommerce-cart"></div>') . '</main>',
    $path === '/checkout-blocks' => checkout_block(),
    $path === '/checkout' => '<main><h1>Checkout</h1><form method="post"><p>' . implode(', ', array_map(
        fn ($gateway): string => $gateway->title,
        array_filter(WC()->payment_gateways()->payment_gateways(), fn ($gateway): bool => $gateway->is_available()),
    )) . '</p><button>Place order</button></form></main>',
    default => '<h1>Thank you</h1>',
});
