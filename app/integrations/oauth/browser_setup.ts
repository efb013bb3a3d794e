import * as oauth from 'oauth4webapi'
import type { Principal } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { BrowserReturn, BrowserSetup, Plugin } from '#plugin-kit/plugin'
import type { Credentials } from '../connections/credentials.js'
import { takeSetupStep } from '../plugins/interactive_parts.js'
import type { PluginCaller } from '../plugins/plugin_caller.js'
import { PAGE_PATH, redirectUriOf } from './answer_path.js'
import {
  storeStart,
  type BeginAuthorizationInput,
  type AuthorizationStart,
} from './begin_authorization.js'

/** The input for a connection that is made in a browser. */
export type BrowserInput = Omit<BeginAuthorizationInput, 'manifest' | 'redirectUri'> & {
  /** The address by which the browser reaches the service. */
  serviceUrl: string
}

interface SetupDependencies {
  caller: PluginCaller
  secrets: SecretBox
  inTransaction<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>
}

/** A connection whose key the provider makes in a person's browser, step by step. */
export class BrowserSetups {
  constructor(private readonly dependencies: SetupDependencies) {}

  /** @returns the address to open first. @throws plugin_missing */
  begin({ organization }: Pick<Principal, 'organization'>, plugin: Plugin, input: BrowserInput) {
    return this.#take(plugin, input, (back) =>
      takeSetupStep(
        this.dependencies.caller,
        plugin,
        { organization, ...input },
        async (setup, ctx) => ({
          step: setup.begin(ctx, back),
        })
      )
    ) as Promise<AuthorizationStart>
  }

  /**
   * Continues with the parameters of the provider's redirect.
   * @returns the address to open next, or the complete credentials
   * @throws plugin_missing, ProviderError
   */
  proceed(
    { organization }: Pick<Principal, 'organization'>,
    plugin: Plugin,
    input: BrowserInput,
    result: Readonly<Record<string, string>>
  ): Promise<AuthorizationStart | { credentials: Credentials }> {
    const { credentials } = input
    return this.#take(plugin, input, (back) =>
      takeSetupStep(this.dependencies.caller, plugin, { organization, ...input }, (setup, ctx) =>
        setup.proceed(ctx, result, { ...back, credentials })
      )
    )
  }

  async #take(
    { manifest }: Plugin,
    input: BrowserInput,
    ask: (back: BrowserReturn) => ReturnType<BrowserSetup['proceed']>
  ): Promise<AuthorizationStart | { credentials: Credentials }> {
    const { serviceUrl } = input
    const redirectUri = redirectUriOf(serviceUrl)
    const state = oauth.generateRandomState()
    const result = await ask({ returnTo: redirectUri, state, serviceUrl })
    if (!('step' in result)) return result
    const { url, form, credentials = input.credentials } = result.step
    const page = form && { url, form }
    const expiresAt = await this.dependencies.inTransaction((scope) =>
      storeStart(
        scope,
        this.dependencies.secrets,
        { ...input, manifest, redirectUri },
        { state, credentials, ...(page && { page }) }
      )
    )
    // If there is a form, a page of the service posts it.
    const begun = { name: manifest.name, expiresAt }
    if (!page) return { ...begun, url }
    return { ...begun, url: `${serviceUrl}${PAGE_PATH}?state=${state}`, page }
  }
}
