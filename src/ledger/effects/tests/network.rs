//! HTTP, clusters, clouds, mail.

use super::check;

#[test]
fn the_method_of_a_request_decides() {
    check(&[
        ("curl -s https://api.example.org/v1/x?y=1", "read [curl https://api.example.org/v1/x] https://api.example.org/v1/x"),
        ("curl -I https://example.org", "read [curl https://example.org] https://example.org"),
        (
            "curl -X POST http://10.0.0.3:5001/api/v0/id",
            "read [curl http://10.0.0.3:5001/api/v0/id] http://10.0.0.3:5001/api/v0/id",
        ),
        (
            "curl -d @q.json https://example.org/notes/_search",
            "read [curl https://example.org/notes/_search] https://example.org/notes/_search",
        ),
        (
            "curl -X PUT https://example.org/search",
            "external safe [curl PUT https://example.org/search] https://example.org/search",
        ),
        ("curl -sSLO https://example.org/a.tgz", "write safe [curl https://example.org/a.tgz] https://example.org/a.tgz"),
        ("wget -qO- https://example.org", "read [wget https://example.org] https://example.org"),
        ("curl -XPOST https://example.org/x", "external harm [curl POST https://example.org/x] https://example.org/x"),
        ("curl https://example.org/x -d '{\"a\":1}'", "external harm [curl POST https://example.org/x] https://example.org/x"),
        ("curl -sSX PUT https://example.org/x -d @f", "external safe [curl PUT https://example.org/x] https://example.org/x"),
        ("curl --request DELETE https://example.org/x", "external safe [curl DELETE https://example.org/x] https://example.org/x"),
        ("curl -G https://example.org/x -d q=1", "read [curl https://example.org/x] https://example.org/x"),
        ("curl -X PATCH https://example.org/x -d a=1", "external unknown [curl PATCH https://example.org/x] https://example.org/x"),
        ("curl -H 'Accept: text/plain' -o out.txt https://example.org", "write safe [curl > out.txt] out.txt"),
        ("curl -s -o /dev/null -w '%{http_code}' https://example.org", "read [curl https://example.org] https://example.org"),
        (
            "curl -d '{\"query\":\"{ me }\"}' https://example.org/graphql",
            "read [curl https://example.org/graphql] https://example.org/graphql",
        ),
        ("wget https://example.org/a.tgz", "write safe [wget https://example.org/a.tgz] https://example.org/a.tgz"),
        ("http POST https://example.org/x a=1", "external harm [http POST https://example.org/x] https://example.org/x"),
        ("http https://example.org/x a=1", "external harm [http POST https://example.org/x] https://example.org/x"),
        ("http https://example.org/x q==1", "read [http https://example.org/x] https://example.org/x"),
    ]);
}

#[test]
fn a_request_to_this_machine_is_no_external_effect() {
    check(&[
        ("curl http://localhost:3000/health", "read [curl http://localhost:3000/health] http://localhost:3000/health"),
        (
            "curl -X POST http://localhost:3000/x -d 1",
            "execute unknown [curl POST http://localhost:3000/x] http://localhost:3000/x",
        ),
        ("curl -X POST localhost:3000/x", "execute unknown [curl POST localhost:3000/x] localhost:3000/x"),
        ("curl -X PUT http://[::1]:80/x", "execute safe [curl PUT http://[::1]:80/x] http://[::1]:80/x"),
        (
            "curl -X POST http://user:pw@127.0.0.1/x",
            "execute unknown [curl POST http://user:pw@127.0.0.1/x] http://user:pw@127.0.0.1/x",
        ),
        ("curl -X POST http://app.localhost/x", "execute unknown [curl POST http://app.localhost/x] http://app.localhost/x"),
        (
            "curl -X POST http://localhost.example.org/x",
            "external harm [curl POST http://localhost.example.org/x] http://localhost.example.org/x",
        ),
    ]);
}

#[test]
fn clusters_and_clouds() {
    check(&[
        ("kubectl get pods -n prod", "read [kubectl get pods] pods"),
        ("kubectl -n prod describe pod web-1", "read [kubectl describe pod web-1] pod web-1"),
        ("kubectl apply -f deploy.yaml", "external safe [kubectl apply deploy.yaml]"),
        ("kubectl apply -f deploy.yaml --dry-run=client", "read [kubectl apply deploy.yaml]"),
        ("kubectl apply -f deploy.yaml --dry-run=none", "external safe [kubectl apply deploy.yaml]"),
        ("kubectl delete pod web-1", "external safe [kubectl delete pod web-1] pod web-1"),
        ("kubectl rollout restart deployment/web", "external harm [kubectl rollout restart deployment/web] deployment/web"),
        ("kubectl rollout status deployment/web", "read [kubectl rollout status deployment/web] deployment/web"),
        ("kubectl exec -it web-1 -- cat /etc/hosts", "read [cat /etc/hosts] /etc/hosts"),
        ("helm upgrade --install web ./chart -f values.yaml", "external safe [helm upgrade web] web"),
        ("helm upgrade web ./chart --version 1.2.3", "external safe [helm upgrade web] web"),
        ("helm list -A", "read [helm list]"),
        ("terraform plan -out tf.plan", "read [terraform plan]"),
        ("terraform apply -auto-approve", "external safe [terraform apply]"),
        ("terraform -chdir=infra destroy", "external safe [terraform destroy]"),
        ("tofu apply", "external safe [tofu apply]"),
        ("pulumi up --yes", "external safe [pulumi up]"),
        ("ansible-playbook site.yml -i hosts", "external safe [ansible-playbook site.yml]"),
        ("ansible-playbook site.yml --check", "read [ansible-playbook site.yml]"),
        ("aws s3 ls s3://bucket/x", "read [aws s3 ls s3://bucket/x] s3://bucket/x"),
        ("aws s3 cp a.txt s3://bucket/a.txt", "external safe [aws s3 cp s3://bucket/a.txt] s3://bucket/a.txt"),
        ("aws ec2 describe-instances --region eu-west-1", "read? [aws ec2 describe-instances]"),
        ("aws ec2 terminate-instances --instance-ids i-1", "external? safe [aws ec2 terminate-instances i-1]"),
        ("gcloud compute instances list", "read? [gcloud compute instances list]"),
        ("az vm create -n web", "external? harm [az vm create]"),
        ("docker ps -a", "read [docker ps]"),
        ("docker container ls", "read [docker container ls]"),
        ("docker build -t app .", "check [docker build]"),
        (
            "docker push registry.example.org/app:1",
            "external safe [docker push registry.example.org/app:1] registry.example.org/app:1",
        ),
        ("docker run -d --name db -p 5432:5432 postgres:16", "create harm [docker run db] db"),
        ("docker run --rm -v .:/w node:22 npm test", "check [npm test]"),
        ("docker exec -it web ls /app", "read [ls /app] /app"),
        ("docker compose up -d web", "write safe [docker compose up web] web"),
        ("docker-compose -f dev.yml down", "write safe [docker-compose down]"),
        ("docker compose exec -T db psql -U app -c 'select 1'", "read [psql select]"),
        ("mail -s 'done' a@example.org", "external harm [mail a@example.org] a@example.org"),
        ("vercel --prod", "external safe [vercel]"),
        ("wrangler deploy", "external safe [wrangler deploy]"),
    ]);
}
