/** Types that the tests use. The package's own types do not resolve with `nodenext`. */
declare module '@php-wasm/node-8-3' {
  export function getPHPLoaderModule(): Promise<object>;
}

declare module '@php-wasm/universal' {
  export interface PHPRequest {
    scriptPath: string;
    relativeUri: string;
    method: string;
    headers: Record<string, string>;
    body: Uint8Array;
    $_SERVER: Record<string, string>;
  }

  export interface PHPResponse {
    httpStatusCode: number;
    headers: Record<string, string[]>;
    bytes: Uint8Array<ArrayBuffer>;
    errors: string;
  }

  export function loadPHPRuntime(loader: object): Promise<number>;

  export class PHP {
    constructor(runtime: number);
    mkdir(path: string): void;
    writeFile(path: string, content: string | Uint8Array): void;
    readFileAsText(path: string): string;
    onMessage(listener: (message: string) => Promise<string>): void;
    run(request: PHPRequest): Promise<PHPResponse>;
    exit(): void;
  }
}
