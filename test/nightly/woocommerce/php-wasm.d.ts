/** What the examples need of it. Its own types do not resolve as `nodenext` does. */
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
