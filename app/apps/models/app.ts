import { modelOf } from '#foundation/core/database/model_of'
import { apps } from '../tables.js'

/** An app with its settings. Its workflow is in its step configs. */
export default class App extends modelOf(apps) {}
