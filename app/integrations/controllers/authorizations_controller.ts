import app from '@adonisjs/core/services/app'
import type { Answer } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import type { AuthorizationAnswer } from '../oauth/finish_authorization.js'

const PAGE = (id: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Connected</title></head>
<body><h1>Connected</h1><p>The connection is <code>${id}</code>. You may close this page.</p></body></html>
`

/** Serves the address to which providers send people back. */
export class AuthorizationsController {
  async finish({ query }: Call<undefined, AuthorizationAnswer>): Promise<Answer> {
    const finish = await app.container.make('integrations.authorizations')
    const { id } = await finish.handle(query)
    return {
      status: 200,
      raw: { bytes: PAGE(id), contentType: 'text/html; charset=utf-8' },
      headers: {
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
        // The address holds what was good once.
        'referrer-policy': 'no-referrer',
      },
    }
  }
}
