import type { BrowserSetup } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'

const at = (path: string, state: string) => `https://memory.example/${path}?state=${state}`

/** Takes the code as the token; `more` adds a step, and `deny` is refused. */
const setup: BrowserSetup = {
  begin: (_ctx, { state }) => ({ url: at('agree', state) }),

  async proceed(_ctx, { code = '' }, { state, credentials }) {
    if (code === 'more') return { step: { url: at('install', state), form: { manifest: '{}' } } }
    if (code === 'deny') {
      throw new ProviderError('invalid', 'The code is not known', { outcome: 'notApplied' })
    }
    return { credentials: { ...credentials, token: code } }
  },
}

export default setup
