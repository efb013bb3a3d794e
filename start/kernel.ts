import server from '@adonisjs/core/services/server'

server.errorHandler(() => import('#foundation/http/exception_handler'))
