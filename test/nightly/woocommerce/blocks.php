<?php
/**
 * Simulates the blocks of WooCommerce on the server.
 *
 * Read for it: WooCommerce 9 and 10 on GitHub (`src/Blocks/Payments/PaymentMethodRegistry.php`, `Integrations/AbstractPaymentMethodType.php`,
 * `src/Blocks/Templates/SingleProductTemplateCompatibility.php`, `src/Utilities/FeaturesUtil.php`).
 */

declare(strict_types=1);

namespace Automattic\WooCommerce\Utilities {
    final class FeaturesUtil
    {
        public static array $declared = [];
        public static function declare_compatibility(string $feature, string $file, bool $is_compatible = true): bool
        {
            self::$declared[$feature] = $is_compatible;
            return true;
        }
    }
}

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
    abstract class AbstractPaymentMethodType
    {
        protected $name = '';
        abstract public function initialize();
        public function get_name()
        {
            return $this->name;
        }
        public function is_active()
        {
            return true;
        }
        public function get_payment_method_script_handles()
        {
            return [];
        }
        public function get_payment_method_data()
        {
            return [];
        }
    }
}

namespace Automattic\WooCommerce\Blocks\Payments {
    final class PaymentMethodRegistry
    {
        private array $registered = [];
        public function register(Integrations\AbstractPaymentMethodType $integration): bool
        {
            $this->registered[$integration->get_name()] = $integration;
            return true;
        }
        /** @return array<string, Integrations\AbstractPaymentMethodType> */
        public function get_all_active_registered(): array
        {
            \do_action('woocommerce_blocks_payment_method_type_registration', $this);
            foreach ($this->registered as $integration) {
                $integration->initialize();
            }
            return array_filter($this->registered, fn ($integration): bool => $integration->is_active());
        }
    }
}

namespace {
    final class WP_Block
    {
        public function __construct(public array $context)
        {
        }
    }

    /** Renders a block with its filter. */
    function render_block(string $name, string $html, array $context = []): string
    {
        return apply_filters("render_block_$name", $html, ['blockName' => $name], new WP_Block($context));
    }

    /** Returns the active payment methods of the checkout block: their data, and the addresses of their scripts. */
    function checkout_block(): string
    {
        $methods = (new Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry())->get_all_active_registered();
        $data = array_map(fn ($method): array => $method->get_payment_method_data(), $methods);
        $handles = array_merge(...array_values(array_map(fn ($method): array => $method->get_payment_method_script_handles(), $methods)));
        $available = array_keys(array_filter(WC()->payment_gateways()->payment_gateways(), fn ($gateway): bool => $gateway->is_available()));
        $settings = json_encode(['paymentMethodData' => (object) $data, 'availablePaymentMethods' => $available], JSON_HEX_TAG);
        $scripts = array_map(fn (string $handle): string => '<script defer src="' . $GLOBALS['registered'][$handle]['src'] . '"></script>', $handles);
        return '<main><h1>Checkout</h1><form method="post" action="/checkout"></form></main><script type="application/json" id="settings">' . $settings . '</script>'
            . '<script defer src="/blocks.js"></script>' . implode('', $scripts);
    }
}
