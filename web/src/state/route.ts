/** Addresses of the pages. */

export type Route =
  | { page: 'home' }
  | { page: 'game'; id: string }
  | { page: 'replay'; id: string; query: URLSearchParams }
  | { page: 'watch' }
  | { page: 'lab' }
  | { page: 'live'; id: string }
  | { page: 'tournament'; id: string }
  | { page: 'study'; query: URLSearchParams }
  | { page: 'rules'; name: string }
  | { page: 'fair'; id: string | null }
  | { page: 'leaderboard' }
  | { page: 'user-study'; id: string | null }
  | { page: 'missing' };

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function routeOf(pathname: string, search = ''): Route {
  const [first = '', second = '', ...rest] = pathname.split('/').slice(1);
  const query = new URLSearchParams(search);
  if (rest.some((part) => part !== '')) return { page: 'missing' };
  const id = ID.test(second) ? second : null;
  switch (first) {
    case '':
      return { page: 'home' };
    case 'game':
      return id ? { page: 'game', id } : { page: 'missing' };
    case 'replay':
      return id ? { page: 'replay', id, query } : { page: 'missing' };
    case 'watch':
      return id ? { page: 'live', id } : { page: 'watch' };
    case 'lab':
      return second ? { page: 'missing' } : { page: 'lab' };
    case 'tournament':
      return id ? { page: 'tournament', id } : { page: 'missing' };
    case 'study':
      return { page: 'study', query };
    case 'rules':
      return { page: 'rules', name: id ?? 'fog-chesscom' };
    case 'fair':
      return { page: 'fair', id };
    case 'leaderboard':
      return { page: 'leaderboard' };
    case 'user-study':
      return { page: 'user-study', id };
    default:
      return { page: 'missing' };
  }
}
