import type { WireDeclaration } from '#foundation/api/operation/declaration'

/** Content types by kind of file, for devices and servers. */
export const CONTENT_TYPES = {
  ipa: 'application/octet-stream',
  apk: 'application/vnd.android.package-archive',
  aab: 'application/octet-stream',
} as const

/** Returns a response with a page. */
export const htmlPage = (description: string) => ({
  description,
  contentType: 'text/html',
  example: '<!doctype html><html lang="en"><head><title>Install Acme 4.2.0</title></head>…</html>',
})

/** The headers of a request without a body that a page reads. */
export const agent: WireDeclaration = {
  kind: 'wire',
  headers: { 'User-Agent': 'Determines what the page offers for this device.' },
  example: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)' },
}
