import type { Dispatcher } from 'undici';

/** Watches whether anything of a request was sent. */
export interface SendWatch {
  /** What the one request is to be made by. */
  dispatcher: Dispatcher;
  /** False as long as there is no connection, encrypted where it must be: then nobody can have heard of it. */
  isSent(): boolean;
}

export function sendWatch(dispatcher: Dispatcher): SendWatch {
  let isSent = false;
  const watching = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
    // Comes when a connection is ready, right before the first byte is written.
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
