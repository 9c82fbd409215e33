import { useNavigate, useParams, useSearchParams } from 'react-router';
import { SigninScreen } from './signin-screen';

/** Sign-in inside the studio: after signing out. The first page of a visit has no router (`app/first-page.tsx`). */
export function SigninRoute() {
  const navigate = useNavigate();
  const { error } = useParams();
  const [search] = useSearchParams();
  return <SigninScreen refusal={error} redirect={search.get('redirect')} onSignedIn={(path) => navigate(path, { replace: true })} />;
}
