import { addPlugin, type ConfigureCommand } from '@tarmac/plugin-kit/configure'

/** `node ace add` lists the plugin in `config/integrations.ts`. */
export function configure(command: ConfigureCommand): Promise<void> {
  return addPlugin(command, 'parcel', 'tarmac-plugin-parcel/plugin')
}
