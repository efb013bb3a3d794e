import { ListLoader, type BaseCommand } from '@adonisjs/core/ace'
import type { CommandMetaData } from '@adonisjs/core/types/ace'

type CommandClass = typeof BaseCommand

/** The console commands of every module. */
const commands: CommandClass[] = []

const loader = new ListLoader(commands)

export const getMetaData = (): Promise<CommandMetaData[]> => loader.getMetaData()
export const getCommand = (metaData: CommandMetaData): Promise<CommandClass | null> =>
  loader.getCommand(metaData)
