import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import { plugins } from '#integrations/plugins/plugin_registry'
import { connect } from '#integrations/tests/support/connect'
import * as apple from './support/app_store.js'
import * as github from './support/github.js'
import * as google from './support/google_play.js'
import * as jira from './support/jira.js'
import { connectSlack } from './support/slack.js'
import { loadTestPlugins } from './support/plugins/index.js'
import { yaml } from './support/requests.js'
import { VENDOR_PLUGINS } from './support/vendor_plugins.js'
import { makeWorld } from './support/world.js'

/*
 * The example files of docs/how-to/first-real-release.md make apps once the vendors are connected as
 * the page says.
 */

const exampleFile = (name: string) =>
  readFile(new URL(`../docs/examples/${name}`, import.meta.url), 'utf8')

test.group('The files of a first real release', (group) => {
  group.teardown(async () => void (await loadTestPlugins()))

  test('make an app for {$self}')
    .with(['ios', 'android'])
    .run(async ({ assert }, platform) => {
      await plugins.load(VENDOR_PLUGINS)
      const world = await makeWorld()
      const all = {
        'github': { alias: 'Acme on GitHub', credentials: github.credentials },
        'jira': { alias: 'Jira of Acme', credentials: jira.credentials, settings: jira.settings },
        'google-play': { alias: 'Acme on Google Play', credentials: google.credentials },
        'app-store-connect': { alias: 'Acme at Apple', credentials: apple.credentials },
      }
      for (const [plugin, given] of Object.entries(all)) await connect(world, plugin, given)
      await connectSlack(world, undefined, 'Acme on Slack')
      const { status, text, body } = await world.admin.send(
        'POST',
        `/org/${world.organizationId}/app/config?dryRun=true`,
        yaml(await exampleFile(`real_${platform}.yml`))
      )
      assert.equal(status, 200, text)
      assert.isDefined(body)
    })
})
