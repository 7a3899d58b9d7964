<?php
/**
 * Simulates WooCommerce: orders, refunds, the base class of gateways and its settings, and the cart.
 *
 * Read for it: WooCommerce 9 and 10 on GitHub (`includes/class-wc-order.php`, `class-wc-order-factory.php`, `wc-order-functions.php`,
 * `abstracts/abstract-wc-settings-api.php`, `abstracts/abstract-wc-payment-gateway.php`, `rest-api/Controllers/Version2/class-wc-rest-payment-gateways-v2-controller.php`).
 */

declare(strict_types=1);

class WC_Order
{
    private array $data;
    private array $changes = [];
    private array $meta;
    private ?array $transition = null;

    public function __construct(private int $id)
    {
        $this->data = stored("order-$id", null) ?? throw new Exception('Invalid order.');
        $this->meta = $this->data['meta'];
    }
    public static function create(array $fields): self
    {
        $id = 40 + count(change_stored('order_ids', fn (array $ids): array => [...$ids, count($ids)]));
        $defaults = ['status' => 'pending', 'total' => '1299.00', 'currency' => 'USD', 'payment_method' => '', 'payment_method_title' => '',
            'transaction_id' => '', 'date_paid' => null, 'meta' => [], 'notes' => [], 'refunds' => [], 'products' => ['simple'], 'needs_processing' => true];
        change_stored("order-$id", fn () => $fields + $defaults, null);
        return new self($id);
    }
    private function get(string $name): mixed
    {
        return $this->changes[$name] ?? $this->data[$name];
    }
    private function set(string $name, mixed $value): void
    {
        if ($value !== $this->data[$name]) {
            $this->changes[$name] = $value;
        }
    }
    public function get_id(): int
    {
        return $this->id;
    }
    public function get_status(): string
    {
        return $this->get('status');
    }
    public function get_total(): string
    {
        return $this->get('total');
    }
    public function get_currency(): string
    {
        return $this->get('currency');
    }
    public function get_payment_method(): string
    {
        return $this->get('payment_method');
    }
    public function get_transaction_id(): string
    {
        return $this->get('transaction_id');
    }
    public function get_date_paid(): ?DateTimeImmutable
    {
        return $this->get('date_paid') === null ? null : new DateTimeImmutable('@' . $this->get('date_paid'));
    }
    public function get_address(string $type): array
    {
        return $this->get('address');
    }
    public function get_items(): array
    {
        return array_map(fn (string $type) => new class ($type) {
            public function __construct(private string $type)
            {
            }
            public function get_product(): WC_Product|false
            {
                return $this->type === 'deleted' ? false : new WC_Product(2, $this->type);
            }
        }, $this->get('products'));
    }
    public function get_total_refunded(): float
    {
        return (float) array_sum(stored("order-{$this->id}")['refunds']);
    }
    public function get_checkout_payment_url(): string
    {
        return $GLOBALS['shop_url'] . "/checkout/order-pay/{$this->id}";
    }
    public function has_status(string|array $status): bool
    {
        return in_array($this->get_status(), (array) $status, true);
    }
    public function is_paid(): bool
    {
        return $this->has_status(['processing', 'completed']);
    }
    public function needs_payment(): bool
    {
        return $this->has_status(['pending', 'failed']) && $this->get_total() > 0;
    }
    public function set_transaction_id(string $id): void
    {
        $this->set('transaction_id', $id);
    }
    public function set_payment_method(string $method): void
    {
        $this->set('payment_method', $method);
    }
    public function set_payment_method_title(string $title): void
    {
        $this->set('payment_method_title', $title);
    }
    public function set_status(string $status, string $note = ''): void
    {
        $from = $this->get_status();
        $this->set('status', $status);
        if ($from !== $status) {
            $this->transition = ['from' => $this->transition['from'] ?? $from, 'to' => $status, 'note' => $note];
            if ($this->is_paid() && !$this->get_date_paid()) {
                $this->set('date_paid', time());
            }
        }
    }
    public function payment_complete(string $transaction_id): bool
    {
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->set_transaction_id($transaction_id);
            if (!$this->get_date_paid()) {
                $this->set('date_paid', time());
            }
            $this->set_status($this->get('needs_processing') ? 'processing' : 'completed');
            return $this->try_to_save();
        }
        return true;
    }
    public function update_status(string $status, string $note = ''): bool
    {
        $this->set_status($status, $note);
        return $this->try_to_save();
    }
    private function try_to_save(): bool
    {
        try {
            $this->save();
            return true;
        } catch (Exception) {
            return false;
        }
    }
    /** Writes only what was changed. */
    public function save(): int
    {
        if ($this->data['is_unwritable'] ?? false) {
            throw new Exception('The database is full.');
        }
        change_stored("order-{$this->id}", fn (array $row): array => $this->changes + ['meta' => $this->meta] + $row);
        $this->data = $this->changes + $this->data;
        $this->changes = [];
        unset($GLOBALS['cached_orders'][$this->id]);
        do_action('woocommerce_update_order', $this->id, $this);
        [$transition, $this->transition] = [$this->transition, null];
        if ($transition) {
            do_action("woocommerce_order_status_{$transition['to']}", $this->id, $this, $transition);
            $this->add_order_note(trim("{$transition['note']} Order status changed from {$transition['from']} to {$transition['to']}."));
        }
        return $this->id;
    }
    public function add_order_note(string $note): int
    {
        change_stored("order-{$this->id}", fn (array $row): array => ['notes' => [...$row['notes'], $note]] + $row);
        return 1;
    }
    public function get_meta(string $name): mixed
    {
        return $this->meta[$name] ?? '';
    }
    public function update_meta_data(string $name, mixed $value): void
    {
        $this->meta[$name] = $value;
    }
    public function delete_meta_data(string $name): void
    {
        unset($this->meta[$name]);
    }
    public function read_meta_data(bool $force_read = false): void
    {
        if ($force_read) {
            $this->meta = stored("order-{$this->id}")['meta'];
        }
    }
    /** Orders in their own tables are saved with the metadata; for orders in posts, the metadata is written alone. */
    public function save_meta_data(): void
    {
        change_stored("order-{$this->id}", fn (array $row): array => ['meta' => $this->meta] + $row);
        unset($GLOBALS['cached_orders'][$this->id]);
        if (($GLOBALS['config']['storage'] ?? 'tables') === 'tables') {
            do_action('woocommerce_update_order', $this->id, $this);
            return;
        }
        foreach ($this->meta as $name => $value) {
            do_action('updated_post_meta', 1, $this->id, $name, $value);
        }
    }
}
class WC_Product
{
    public function __construct(private int $id, private string $type = 'simple', public string $price = '750')
    {
    }
    public function get_type(): string
    {
        return $this->type;
    }
    public function is_purchasable(): bool
    {
        return $this->price !== '';
    }
}

/** Orders are cached for a request, as in custom tables and in the object cache of posts. */
$cached_orders = [];
function wc_get_order(mixed $id): WC_Order|false
{
    global $cached_orders;
    if (!isset($cached_orders[$id])) {
        if (stored("order-$id", null) === null) {
            return false;
        }
        $cached_orders[$id] = new WC_Order($id);
    }
    return $cached_orders[$id];
}
function wc_get_product(int $id): WC_Product|false
{
    return $id === 1 ? $GLOBALS['product'] : ($id === 2 ? new WC_Product(2, 'simple', '99') : false);
}

/** Saves a refund, asks the gateway to make it, and deletes it if that failed. @return string An error, or an empty string. */
function wc_create_refund(int $order_id, string $amount, string $reason, bool $refund_payment = true): string
{
    $order = wc_get_order($order_id);
    if ($amount > $order->get_total() - $order->get_total_refunded()) {
        return 'Invalid refund amount.';
    }
    $refund_id = uniqid();
    change_stored("order-$order_id", fn (array $row): array => ['refunds' => $row['refunds'] + [$refund_id => $amount]] + $row);
    if ($refund_payment) {
        $gateway = WC()->payment_gateways()->payment_gateways()[$order->get_payment_method()];
        $result = $gateway->supports('refunds') ? $gateway->process_refund($order_id, $amount, $reason) : false;
        if ($result !== true) {
            change_stored("order-$order_id", function (array $row) use ($refund_id): array {
                unset($row['refunds'][$refund_id]);
                return $row;
            });
            return is_wp_error($result) ? $result->get_error_message() : 'An error occurred.';
        }
    }
    if ($order->get_total_refunded() >= (float) $order->get_total()) {
        $order->update_status('refunded');
    }
    $order->save();
    return '';
}

final class WC_Admin_Settings
{
    public static array $messages = [];
    public static function add_message(string $text): void
    {
        self::$messages[] = ['updated', $text];
    }
    public static function add_error(string $text): void
    {
        self::$messages[] = ['error', $text];
    }
}
abstract class WC_Settings_API
{
    public string $id = '';
    public array $settings = [];
    public array $form_fields = [];
    public function get_form_fields(): array
    {
        return array_map(fn (array $field): array => $field + ['default' => ''], $this->form_fields);
    }
    public function get_option_key(): string
    {
        return "woocommerce_{$this->id}_settings";
    }
    public function get_field_key(string $name): string
    {
        return "woocommerce_{$this->id}_$name";
    }
    public function init_settings(): void
    {
        $this->settings = get_option($this->get_option_key(), null) ?? array_column(
            array_map(fn (string $name, array $field) => [$name, $field['default']], array_keys($this->get_form_fields()), $this->get_form_fields()),
            1,
            0,
        );
    }
    public function get_option(string $name): mixed
    {
        return $this->settings[$name] ??= $this->get_form_fields()[$name]['default'] ?? '';
    }
    public function process_admin_options(): bool
    {
        $this->init_settings();
        foreach ($this->get_form_fields() as $name => $field) {
            $value = $_POST[$this->get_field_key($name)] ?? null;
            $validate = method_exists($this, "validate_{$field['type']}_field") ? "validate_{$field['type']}_field" : 'validate_text_field';
            $this->settings[$name] = $this->$validate($name, $value);
        }
        return update_option($this->get_option_key(), $this->settings);
    }
    public function validate_text_field(string $name, ?string $value): string
    {
        return trim(stripslashes($value ?? ''));
    }
    public function validate_checkbox_field(string $name, ?string $value): string
    {
        return $value === null ? 'no' : 'yes';
    }
    public function generate_settings_html(): string
    {
        $html = '';
        foreach ($this->get_form_fields() as $name => $field) {
            $generate = method_exists($this, "generate_{$field['type']}_html") ? "generate_{$field['type']}_html" : 'generate_text_html';
            $html .= $this->$generate($name, $field);
        }
        return $html;
    }
    public function generate_text_html(string $name, array $field): string
    {
        $input = sprintf('<input class="input-text regular-input" type="text" name="%1$s" id="%1$s" value="%2$s" placeholder="%3$s">', $this->get_field_key($name), esc_attr($this->get_option($name)), $field['placeholder'] ?? '');
        return $this->row($name, $field['title'], $input);
    }
    public function generate_checkbox_html(string $name, array $field): string
    {
        $checked = $this->get_option($name) === 'yes' ? ' checked' : '';
        return $this->row($name, $field['title'], sprintf('<input type="checkbox" name="%1$s" id="%1$s" value="1"%2$s> %3$s', $this->get_field_key($name), $checked, $field['label']));
    }
    private function row(string $name, string $title, string $input): string
    {
        return "<tr><th scope=\"row\" class=\"titledesc\"><label for=\"{$this->get_field_key($name)}\">$title</label></th><td class=\"forminp\">$input</td></tr>";
    }
}
abstract class WC_Payment_Gateway extends WC_Settings_API
{
    public string $title = '';
    public string $description = '';
    public string $method_title = '';
    public string $method_description = '';
    public string $enabled = 'yes';
    public array $supports = ['products'];
    public function init_settings(): void
    {
        parent::init_settings();
        $this->enabled = ($this->settings['enabled'] ?? '') === 'yes' ? 'yes' : 'no';
    }
    public function supports(string $feature): bool
    {
        return in_array($feature, $this->supports, true);
    }
    public function is_available(): bool
    {
        return $this->enabled === 'yes';
    }
    public function get_title(): string
    {
        return $this->title;
    }
    public function get_description(): string
    {
        return $this->description;
    }
    public function admin_options(): void
    {
        echo "<h2>{$this->method_title}</h2><p>{$this->method_description}</p><table class=\"form-table\">{$this->generate_settings_html()}</table>";
    }
    public function get_return_url(WC_Order $order): string
    {
        return $GLOBALS['shop_url'] . "/checkout/order-received/{$order->get_id()}?key=wc_order_k";
    }
}

final class WooCommerce
{
    public ?object $cart;
    public object $session;
    private ?object $gateways = null;
    public function __construct()
    {
        $this->cart = new class {
            public function get_total(string $context): string
            {
                return $_GET['total'] ?? '1299.00';
            }
            public function get_cart(): array
            {
                return ['k' => ['quantity' => 1, 'data' => new WC_Product(1, $_GET['type'] ?? 'simple')]];
            }
        };
        $this->session = new class {
            public function set(string $name, string $value): void
            {
                change_stored('session', fn (array $session): array => [$name => $value] + $session);
            }
        };
    }
    public function api_request_url(string $name): string
    {
        return $GLOBALS['shop_url'] . "/wc-api/$name/";
    }
    public function payment_gateways(): object
    {
        return $this->gateways ??= new class {
            private array $gateways = [];
            public function __construct()
            {
                foreach (apply_filters('woocommerce_payment_gateways', []) as $class) {
                    $gateway = new $class();
                    $this->gateways[$gateway->id] = $gateway;
                }
            }
            public function payment_gateways(): array
            {
                return $this->gateways;
            }
        };
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
    return str_starts_with($GLOBALS['path'], '/product');
}
function is_cart(): bool
{
    return str_starts_with($GLOBALS['path'], '/cart');
}
function wc_get_price_to_display(WC_Product $product): string
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
            change_stored('logged', fn (array $logged): array => [...$logged, $text]);
        }
    };
}

/* WooCommerce Subscriptions, if a shop has it. */

if ($config['subscriptions'] ?? false) {
    final class WC_Subscriptions_Product
    {
        public static function is_subscription(WC_Product $product): bool
        {
            return $product->get_type() === 'subscription';
        }
    }
    function wcs_order_contains_subscription(WC_Order $order, string $type): bool
    {
        return $order->get_meta('_subscription_renewal') !== '';
    }
}

require __DIR__ . '/blocks.php';
