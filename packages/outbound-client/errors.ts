import { OutboundRefused } from './guard.js'

/** The kind of failure that ended a request before its answer was read. */
export type ErrorClass =
  | 'refused'
  | 'dns'
  | 'connectTimeout'
  | 'timeout'
  | 'aborted'
  | 'connection'
  | 'tls'
  | 'protocol'

/** A timeout was reached, or the caller gave up. */
export class OutboundTimeout extends Error {
  constructor(
    readonly kind: 'connectTimeout' | 'timeout' | 'aborted',
    milliseconds: number
  ) {
    super(
      {
        connectTimeout: `No connection within ${milliseconds} ms`,
        timeout: `No complete response within ${milliseconds} ms`,
        aborted: 'The request was given up',
      }[kind]
    )
  }
}

/** Classifies an error of the guard, the resolver, the socket, TLS or the HTTP parser. */
export function classOf(error: Error): ErrorClass {
  if (error instanceof OutboundRefused) return 'refused'
  if (error instanceof OutboundTimeout) return error.kind
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException
  // Node names DNS queries `queryA` and `queryAaaa`.
  if (syscall.startsWith('query') || code === 'ENOTFOUND') return 'dns'
  if (code.startsWith('HPE_')) return 'protocol'
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/.test(code)) return 'tls'
  return 'connection'
}
