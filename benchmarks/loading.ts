import { PluginRegistry } from '#integrations/plugins/plugin_registry'

/*
 * A process that loads the plugins of `BENCH_PLUGINS` as the service does when it starts, and
 * prints how long that took.
 */

const urls = JSON.parse(process.env.BENCH_PLUGINS ?? '[]') as string[]
const registry = new PluginRegistry()
const began = performance.now()
await registry.load(
  Object.fromEntries(urls.map((url, index) => [`plugin ${index}`, () => import(url)]))
)
const milliseconds = performance.now() - began
console.log(JSON.stringify({ milliseconds, running: registry.all.length }))
