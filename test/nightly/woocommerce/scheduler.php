<?php
/** Simulates Action Scheduler 3.8 (`functions.php`). A unique action is compared by hook and group, but not by its arguments. */

declare(strict_types=1);

function as_schedule_single_action(int $timestamp, string $hook, array $args = [], string $group = '', bool $unique = false): int
{
    if ($unique && find_actions(fn (array $action) => $action['hook'] === $hook && $action['group'] === $group)) {
        return 0;
    }
    $action = ['at' => $timestamp, 'hook' => $hook, 'args' => $args, 'group' => $group, 'status' => 'pending'];
    return count(change_stored('actions', fn (array $actions): array => [...$actions, $action]));
}
function as_has_scheduled_action(string $hook, ?array $args = null, string $group = ''): bool
{
    return find_actions(fn (array $action) => $action['hook'] === $hook && ($args ?? $action['args']) === $action['args'] && $action['group'] === $group) !== [];
}
function find_actions(callable $matches): array
{
    return array_filter(stored('actions'), fn (array $action): bool => in_array($action['status'], ['pending', 'running'], true) && $matches($action));
}

/** Runs the actions that are pending now, as if their time had come. Those that they schedule stay pending. */
function run_scheduled_actions(): void
{
    $pending = find_actions(fn (array $action) => $action['status'] === 'pending');
    foreach ($pending as $index => $action) {
        $set = fn (string $status) => change_stored('actions', fn (array $actions): array => array_replace($actions, [$index => ['status' => $status] + $action]));
        $set('running');
        do_action($action['hook'], ...array_values($action['args']));
        $set('complete');
    }
}
