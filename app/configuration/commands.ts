import { AppExport } from './commands/app_export.js'
import { AppImport } from './commands/app_import.js'

/** The console commands of the module. */
export const commands = [AppExport, AppImport]
