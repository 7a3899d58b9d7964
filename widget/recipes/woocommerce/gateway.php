<?php
/** Payment method in WooCommerce's own checkout, where the address, tax and shipping are known, and its settings. */
declare(strict_types=1);
defined('ABSPATH') || exit;

final class Fairterm_Gateway extends WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = 'fairterm';
        $this->method_title = 'Fairterm';
        $this->method_description = __('Buyers pay over time; you are paid when the order is completed.', 'fairterm');
        $this->title = __('Pay over time', 'fairterm');
        $this->description = __('You choose a plan on the next page.', 'fairterm');
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        add_action("woocommerce_update_options_payment_gateways_{$this->id}", [$this, 'process_admin_options']);
    }

    /** WooCommerce's REST API shows the value of every field with a `title`, so secrets have none. */
    public function init_form_fields(): void
    {
        $this->form_fields = array_diff_key([
            'enabled' => ['title' => __('Enable', 'fairterm'), 'type' => 'checkbox', 'label' => $this->title, 'default' => 'yes'],
            'url' => ['title' => __('Service address', 'fairterm'), 'type' => 'text', 'placeholder' => 'https://'],
            'key' => ['title' => __('API key', 'fairterm'), 'type' => 'text'],
            'secret' => ['label' => __('Secret', 'fairterm'), 'type' => 'fairterm_secret'],
            'callback_secrets' => ['label' => __('Callback secret', 'fairterm'), 'type' => 'fairterm_secret'],
            'test' => ['type' => 'fairterm_test'],
        ], array_filter(FAIRTERM_CONSTANTS, 'defined'));
    }

    /** Renders a field that never shows what is stored. */
    public function generate_fairterm_secret_html(string $name, array $field): string
    {
        $html = '<tr><th scope="row" class="titledesc"><label for="%1$s">%2$s</label></th><td class="forminp">'
            . '<input class="input-text regular-input" type="password" name="%1$s" id="%1$s" autocomplete="off" placeholder="%3$s"></td></tr>';
        $placeholder = $this->get_option($name) === '' ? '' : __('Stored. Leave empty to keep it.', 'fairterm');
        return sprintf($html, esc_attr($this->get_field_key($name)), esc_html($field['label']), esc_attr($placeholder));
    }

    public function validate_fairterm_secret_field(string $name, ?string $value): string
    {
        return trim(wp_unslash($value ?? '')) ?: (string) $this->get_option($name);
    }

    /** Renders a button with the name of WooCommerce's own, which saves the form. */
    public function generate_fairterm_test_html(): string
    {
        return '<tr><th></th><td class="forminp"><button class="button" type="submit" name="save" value="fairterm_test">'
            . esc_html__('Test connection', 'fairterm') . '</button></td></tr>';
    }

    public function process_admin_options(): bool
    {
        $is_changed = parent::process_admin_options();
        if (($_POST['save'] ?? '') === 'fairterm_test') {
            try {
                fairterm_callback_keys();
                $monthly = Fairterm_Client::call('POST', ['aslowas'], ['customTotal' => 1_000_00])['asLowAs']['amount'];
                WC_Admin_Settings::add_message(sprintf(__('Connected: $1,000 is %s a month.', 'fairterm'), $monthly));
            } catch (Fairterm_Error | LogicException $error) {
                WC_Admin_Settings::add_error(sprintf(__('Not connected: %s', 'fairterm'), $error->getMessage()));
            }
        }
        return $is_changed;
    }

    public function is_available(): bool
    {
        $order = wc_get_order(absint(get_query_var('order-pay')));
        return parent::is_available() && ($order instanceof WC_Order ? fairterm_is_eligible($order) : fairterm_is_cart_eligible());
    }

    /** Creates a cart for the order and redirects the buyer to its checkout. The total includes discounts, shipping and tax. */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        try {
            if (!fairterm_is_eligible($order)) {
                throw new Fairterm_Error("The order is in {$order->get_currency()}, or of a subscription");
            }
            $cart = Fairterm_Client::call('POST', ['carts'], ['options' => [
                'orderRef' => (string) $order_id,
                'customTotal' => fairterm_cents($order->get_total()),
                'billingContact' => $this->contact($order->get_address('billing')),
                'callbackUrl' => WC()->api_request_url('fairterm'),
                'completeUrl' => $this->get_return_url($order),
                'errorUrl' => $order->get_checkout_payment_url(),
            ]]);
        } catch (Fairterm_Error $error) {
            wc_get_logger()->error("No cart for order $order_id: {$error->getMessage()}", ['source' => 'fairterm']);
            wc_add_notice(__('Financing is not available just now. Please choose another way to pay.', 'fairterm'), 'error');
            return ['result' => 'failure'];
        }
        $order->update_meta_data('_fairterm_cart_id', $cart['id']);
        // An earlier attempt with another payment method may have stored one.
        $order->set_transaction_id('');
        $order->save();
        fairterm_schedule($order->get_id(), 'poll');
        return ['result' => 'success', 'redirect' => $cart['url']];
    }

    /** Returns the contact of a US address, without what the service would not take as it is; null without a complete one. */
    private function contact(array $address): ?array
    {
        $text = fn (int $max_length) => '/^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]{1,' . $max_length . '}$/Du';
        $states = 'A[AEKLPRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]';
        $atom = "[A-Za-z0-9!#$%&'*+\/=?^_`{|}~-]+";
        $fields = [
            'firstName' => ['first_name', $text(100)],
            'lastName' => ['last_name', $text(100)],
            'address' => ['address_1', $text(200)],
            'city' => ['city', $text(100)],
            'state' => ['state', "/^($states)$/D"],
            'address2' => ['address_2', $text(200)],
            'zip' => ['postcode', '/^\d{5}(-?\d{4})?$/D'],
            'email' => ['email', "/^(?=.{1,254}$)$atom(\.$atom)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/D"],
            'phone' => ['phone', '/^[\s().-]*(\+?1)?([\s().-]*\d){10}$/D'],
        ];
        $values = array_map(fn (array $field): string => trim((string) ($address[$field[0]] ?? '')), $fields);
        $contact = array_filter($values, fn (string $value, string $name) => preg_match($fields[$name][1], $value) === 1, ARRAY_FILTER_USE_BOTH);
        $is_complete = isset($contact['firstName'], $contact['lastName'], $contact['address'], $contact['city'], $contact['state']);
        return $is_complete && ($address['country'] ?? '') === 'US' ? $contact : null;
    }

    /** Refunds by amount: the cart has no items. The reason is free text, which the service does not store. */
    public function process_refund($order_id, $amount = null, $reason = ''): bool|WP_Error
    {
        try {
            return fairterm_lock_order((int) $order_id, fn (WC_Order $order) => fairterm_refund($order, fairterm_cents($amount)));
        } catch (Fairterm_Error $error) {
            return new WP_Error('fairterm', sprintf(__('Not refunded: %s', 'fairterm'), $error->getMessage()));
        }
    }
}

/** Payment method in the checkout block. Its script registers it in the browser; the gateway processes the payment. */
final class Fairterm_Checkout_Block extends Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType
{
    protected $name = 'fairterm';
    private WC_Payment_Gateway $gateway;

    public function initialize(): void
    {
        $this->gateway = WC()->payment_gateways()->payment_gateways()['fairterm'];
    }

    public function is_active(): bool
    {
        return $this->gateway->is_available();
    }

    public function get_payment_method_script_handles(): array
    {
        $url = plugins_url('checkout-block.js', __FILE__);
        wp_register_script('fairterm-checkout', $url, ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'], '0.1.0', true);
        return ['fairterm-checkout'];
    }

    public function get_payment_method_data(): array
    {
        return ['title' => $this->gateway->get_title(), 'description' => $this->gateway->description, 'supports' => $this->gateway->supports];
    }
}
