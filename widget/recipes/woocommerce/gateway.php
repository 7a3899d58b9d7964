<?php
/** Payment method in WooCommerce's own checkout, where the address, tax and shipping are known. */

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
        $this->form_fields = [
            'enabled' => ['title' => __('Enable', 'fairterm'), 'type' => 'checkbox', 'default' => 'yes'],
        ];
        $this->init_settings();
        $this->enabled = $this->get_option('enabled');
        add_action("woocommerce_update_options_payment_gateways_{$this->id}", [$this, 'process_admin_options']);
    }

    public function is_available(): bool
    {
        return fairterm_is_usable() && parent::is_available();
    }

    /**
     * Creates a cart for the order and redirects the buyer to its checkout.
     *
     * @param int $order_id
     * @return array{result: string, redirect?: string}
     */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        ['status' => $status, 'body' => $cart] = fairterm_call('POST', '/carts', ['options' => $this->options_for($order)]);
        if ($status !== 200) {
            wc_get_logger()->error('No cart for order ' . $order_id . ': ' . ($cart['description'] ?? $status), ['source' => 'fairterm']);
            wc_add_notice(__('Financing is not available just now. Please choose another way to pay.', 'fairterm'), 'error');
            return ['result' => 'failure'];
        }
        return ['result' => 'success', 'redirect' => $cart['url']];
    }

    /** @return array<string, mixed> The total is WooCommerce's, including discounts, shipping and tax. */
    private function options_for(WC_Order $order): array
    {
        return [
            'orderRef' => (string) $order->get_id(),
            'customTotal' => fairterm_cents($order->get_total()),
            'billingContact' => $this->contact($order->get_address('billing')),
            'callbackUrl' => WC()->api_request_url('fairterm'),
            'completeUrl' => $this->get_return_url($order),
            'errorUrl' => $order->get_checkout_payment_url(),
        ];
    }

    /** Returns null for an address outside the US, which a cart cannot have. @param array<string, string> $address */
    private function contact(array $address): ?array
    {
        if (($address['country'] ?? '') !== 'US') {
            return null;
        }
        return [
            'firstName' => $address['first_name'],
            'lastName' => $address['last_name'],
            'address' => $address['address_1'],
            'address2' => $address['address_2'],
            'city' => $address['city'],
            'state' => $address['state'],
            'zip' => $address['postcode'],
            'email' => $address['email'],
        ];
    }
}
