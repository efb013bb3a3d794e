import type { WireDeclaration } from '#foundation/api/operation/declaration'

/** Content types of downloads, by file extension. */
export const CONTENT_TYPES = {
  ipa: 'application/octet-stream',
  apk: 'application/vnd.android.package-archive',
  aab: 'application/octet-stream',
} as const

/** Declares a response with an HTML page. */
export const htmlPage = (description: string) => ({
  description,
  contentType: 'text/html',
  example: '<!doctype html><html lang="en"><head><title>Install Acme 4.2.0</title></head>…</html>',
})

/** Declares the request of a page: no body, only the header that the page depends on. */
export const agent: WireDeclaration = {
  kind: 'wire',
  headers: { 'User-Agent': 'Determines what the page offers for this device.' },
  example: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)' },
}
