import { AppExport } from './app_export.js'
import { AppImport } from './app_import.js'

export const commands = [AppImport, AppExport]
