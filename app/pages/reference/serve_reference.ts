import type { HttpContext } from '@adonisjs/core/http'
import { html } from '#foundation/api/http/html'
import { assets } from '../frame/assets.js'
import { sendHtml } from '../frame/send_html.js'

/** Scalar sets inline styles as it draws the reference, so this page alone allows them. */
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/** The colours of the pages, which have enough contrast everywhere. */
const LIGHT = {
  'background-1': '#ffffff',
  'background-2': '#f7f8fa',
  'background-3': '#f1f3f6',
  'background-accent': '#1d55e81f',
  'color-1': '#14171f',
  'color-2': '#525a68',
  'color-3': '#5b6371',
  'color-accent': '#1d55e8',
  'border-color': '#d3d8e0',
  'color-green': '#0f7a43',
  'color-red': '#b91c2b',
  'color-yellow': '#855000',
  'color-blue': '#1d55e8',
  'color-orange': '#855000',
  'color-purple': '#6a2fb8',
}
const DARK: typeof LIGHT = {
  'background-1': '#0b0d11',
  'background-2': '#13161c',
  'background-3': '#1b2029',
  'background-accent': '#8aadff1f',
  'color-1': '#eceef3',
  'color-2': '#a6aebd',
  'color-3': '#9aa3b3',
  'color-accent': '#8aadff',
  'border-color': '#323948',
  'color-green': '#5ccb90',
  'color-red': '#ff9094',
  'color-yellow': '#f0b75f',
  'color-blue': '#8fb1ff',
  'color-orange': '#f0b75f',
  'color-purple': '#c9a2ff',
}

const styleOf = (mode: string, colours: typeof LIGHT) =>
  `.${mode}-mode{${Object.entries(colours)
    .map(([name, colour]) => `--scalar-${name}:${colour}`)
    .join(';')}}`

/** Settings of Scalar: no request to other hosts, and no key kept in the browser. */
const SETTINGS = JSON.stringify({
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  theme: 'none',
  customCss: styleOf('light', LIGHT) + styleOf('dark', DARK),
  persistAuth: false,
  documentDownloadType: 'json',
  authentication: { preferredSecurityScheme: 'apiKey' },
})

const page = () =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <link rel="icon" href="${assets().path('mark.svg')}" type="image/svg+xml" />
        <title>API reference · Tarmac</title>
      </head>
      <body>
        <noscript>
          <p><a href="/docs/plain">The reference without script</a></p>
        </noscript>
        <script id="api-reference" data-configuration="${SETTINGS}"></script>
        <script src="${assets().path('scalar.js')}"></script>
      </body>
    </html>`.toString()

/** Shows the reference of the API, with a form to try each operation. */
export async function serveReference(http: HttpContext): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) http.response.header(name, value)
  await sendHtml(http, page())
}
