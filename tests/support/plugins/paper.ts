import type { PluginManifest } from '#plugin-kit/manifest'
import { definePlugin, type Plugin } from '#plugin-kit/plugin'

type Capabilities = PluginManifest['capabilities']

/** Returns a plugin that is only a manifest: importing its code fails. */
export function paperPlugin(id: string, capabilities: Capabilities): Plugin {
  const never = () => Promise.reject(new Error(`${id} is paper`))
  return definePlugin({
    manifest: {
      id,
      aliases: [],
      name: id,
      version: '1.0.0',
      spi: 1,
      docsUrl: 'https://paper.example/docs',
      hosts: { allow: [], selfHosted: false },
      auth: [{ scheme: 'none' }],
      credentialSchema: { type: 'object', properties: {} },
      connectionSchema: { type: 'object', properties: {} },
      rate: { requests: 1, perSeconds: 1, concurrency: 1, scope: 'host' },
      capabilities,
    },
    lifecycle: never,
    capabilities: Object.fromEntries(Object.keys(capabilities).map((kind) => [kind, never])),
  })
}

const of = (type: string) => ({ type, features: [] })

/** All kinds of the specification but those of the plugin `memory` and experimentation. */
export const paper = paperPlugin('paper', {
  versionControl: of('github-vcs'),
  ci: of('github-ci'),
  appStore: of('apple'),
  betaTesting: of('apple-beta'),
  testManagement: of('testrail'),
  issueTracking: of('jira'),
  crashMonitoring: of('sentry'),
  productAnalytics: of('amplitude'),
  localization: of('lokalise'),
})

/** A plugin of one kind: a configuration file with this provider may leave out the type. */
export const paperFlags = paperPlugin('paper-flags', { experimentation: of('launchdarkly') })
