import type { Dispatcher } from 'undici';

/** Records whether any part of a request was sent. */
export interface SendWatch {
  /** The dispatcher to send the one request with. */
  dispatcher: Dispatcher;
  /** False until there is a connection, including TLS where required: until then the request cannot have had an effect. */
  isSent(): boolean;
}

export function sendWatch(dispatcher: Dispatcher): SendWatch {
  let isSent = false;
  const watching = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
    // Called when a connection is ready, right before the first byte is written.
    onRequestStart: (...args) => {
      isSent = true;
      handler.onRequestStart?.(...args);
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
  const watched = dispatcher.compose((dispatch) => (options, handler) => dispatch(options, watching(handler)));
  return { dispatcher: watched, isSent: () => isSent };
}
