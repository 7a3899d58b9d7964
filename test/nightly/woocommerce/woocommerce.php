<?php

declare(strict_types=1);

/** Reads or replaces the stored data: orders by id, the payment method of the session, and log messages. */
function stored(?array $new = null): array
{
    $file = __DIR__ . '/stored.json';
    if ($new !== null) {
        file_put_contents($file, json_encode($new));
    }
    return $new ?? (is_file($file) ? json_decode(file_get_contents($file), true) : ['orders' => [], 'chosen' => '', 'logged' => []]);
}

class WC_Order
{
    public function __construct(private int $id, private array $fields)
    {
    }
    public function change(array $fields): void
    {
        $this->fields = $fields + $this->fields;
        $stored = stored();
        $stored['orders'][$this->id] = $this->fields;
        stored($stored);
    }
    public function get_id(): int
    {
        return $this->id;
    }
    public function get_total(): string
    {
        return $this->fields['total'];
    }
    public function get_payment_method(): string
    {
        return $this->fields['payment_method'];
    }
    public function get_transaction_id(): string
    {
        return $this->fields['transaction_id'];
    }
    public function get_address(string $type): array
    {
        return $this->fields['address'];
    }
    public function get_checkout_payment_url(): string
    {
        return $GLOBALS['shop_url'] . "/checkout/order-pay/{$this->id}";
    }
    public function is_paid(): bool
    {
        return in_array($this->fields['status'], ['processing', 'completed'], true);
    }
    public function payment_complete(string $transaction_id): void
    {
        $this->change(['status' => 'processing', 'transaction_id' => $transaction_id]);
    }
    public function update_status(string $status, string $note): void
    {
        $this->change(['status' => $status]);
        $this->add_order_note($note);
    }
    public function add_order_note(string $note): void
    {
        $this->change(['notes' => [...$this->fields['notes'], $note]]);
    }
}
function wc_get_order(int $id): WC_Order|false
{
    $fields = stored()['orders'][$id] ?? null;
    return $fields ? new WC_Order($id, $fields) : false;
}

abstract class WC_Payment_Gateway
{
    public string $id = '';
    public string $title = '';
    public string $method_title = '';
    public string $method_description = '';
    public string $enabled = 'yes';
    public array $form_fields = [];
    protected array $settings = [];
    public function init_settings(): void
    {
        $this->settings = array_map(fn (array $field): string => $field['default'], $this->form_fields);
    }
    public function get_option(string $name): string
    {
        return $this->settings[$name];
    }
    public function process_admin_options(): void
    {
    }
    public function is_available(): bool
    {
        return $this->enabled === 'yes';
    }
    public function get_return_url(WC_Order $order): string
    {
        return $GLOBALS['shop_url'] . "/checkout/order-received/{$order->get_id()}?key=wc_order_k";
    }
}

final class WooCommerce
{
    public object $cart;
    public object $session;
    public function __construct()
    {
        $this->cart = new class {
            public function get_total(string $context): float
            {
                return 1299.0;
            }
        };
        $this->session = new class {
            public function set(string $name, string $value): void
            {
                stored(['chosen' => $value] + stored());
            }
        };
    }
    public function api_request_url(string $name): string
    {
        return $GLOBALS['shop_url'] . "/wc-api/$name/";
    }
}
function WC(): WooCommerce
{
    static $instance = null;
    return $instance ??= new WooCommerce();
}

function get_woocommerce_currency(): string
{
    return $_GET['currency'] ?? 'USD';
}
function is_product(): bool
{
    return $GLOBALS['path'] === '/product';
}
function is_cart(): bool
{
    return $GLOBALS['path'] === '/cart';
}
function wc_get_price_to_display(object $product): float
{
    return $product->price;
}
function wc_get_checkout_url(): string
{
    return $GLOBALS['shop_url'] . '/checkout';
}
function wc_add_notice(string $text, string $type): void
{
    $GLOBALS['notices'][] = $text;
}
function wc_get_logger(): object
{
    return new class {
        public function error(string $text, array $context): void
        {
            $stored = stored();
            stored(['logged' => [...$stored['logged'], $text]] + $stored);
        }
    };
}
