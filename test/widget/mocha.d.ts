// The component tests get `describe` and `it` from web-test-runner's page rather than from an import.
/// <reference types="mocha" />
